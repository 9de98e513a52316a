package survey_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/selftest/survey"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// plant makes a tree with something of everything that is kept on most systems.
func plant(t *testing.T, dir vfs.Dir) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	file := func(in vfs.Dir, name string) {
		t.Helper()
		f, err := in.OpenFile(name, vfs.Create, 0o644)
		must(err)
		_, err = f.WriteAt([]byte("contents"), 0)
		must(errors.Join(err, f.Close()))
	}
	file(dir, "Makefile")
	file(dir, "makefile")
	file(dir, "a:b")
	file(dir, "one")
	must(dir.Link(dir, "one", "two"))
	must(vfs.Symlink(dir, "one", "link"))
	must(vfs.Mknod(dir, "fifo", fs.ModeNamedPipe|0o600, 0))
	must(vfs.Mkdir(dir, "Sub", 0o755))
	must(vfs.Mkdir(dir, "sub", 0o755))
	for _, name := range []string{"Sub", "sub"} {
		sub, err := dir.OpenDir(name, vfs.NoFollow)
		must(err)
		file(sub, "in")
		must(sub.Close())
	}
	must(vfs.Chown(vfs.In(dir, "one"), 1000, 1001))
	must(vfs.Chmod(vfs.In(dir, "one"), fs.ModeSetuid|0o755))
	must(vfs.Chtimes(vfs.In(dir, "one"), time.Time{}, time.Date(1985, 1, 1, 0, 0, 0, 500, time.UTC)))
	n, err := dir.Node("Makefile")
	must(err)
	must(errors.Join(vfs.SetXattr(n, "user.a", []byte("value")), n.Close()))
}

// predict surveys both sides and returns what is found, as words.
func predict(t *testing.T, p *metadata.Profile, src, dst vfs.Dir) (*survey.Result, []string) {
	t.Helper()
	r, err := survey.Run(t.Context(), survey.Config{Source: src, Dest: dst, Profile: p, Workers: 4})
	if err != nil {
		t.Fatal(err)
	}
	if left := list(t, dst); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	var found []string
	for _, f := range r.Findings {
		found = append(found, fmt.Sprintf("%v: %d, %s", f.Kind, f.Entries, strings.Join(f.Examples, " ")))
	}
	return r, found
}

func list(t *testing.T, d vfs.Dir) (names []string) {
	t.Helper()
	err := d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names = append(names, e.Name)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return names
}

func TestEverythingIsKept(t *testing.T) {
	src, dst := memfs.New().TestRoot(t), memfs.New().TestRoot(t)
	plant(t, src)
	r, found := predict(t, metadata.Linux, src, dst)
	if !r.Kept() || found != nil {
		t.Errorf("not kept: %q", found)
	}
	if r.Entries != 11 || r.Directories != 2 || r.Bytes != 6*8 || r.NeedInodes != 10 {
		t.Errorf("found %+v", r.Totals)
	}
}

func TestNamesThatBecomeOne(t *testing.T) {
	src, dst := memfs.New().TestRoot(t), memfs.NewFolding().TestRoot(t)
	plant(t, src)
	r, found := predict(t, metadata.Linux, src, dst)
	if want := []string{"names that become one: 3, makefile sub"}; !slices.Equal(found, want) || r.Kept() {
		t.Errorf("found %q, want %q", found, want)
	}
}

func TestFAT(t *testing.T) {
	src := memfs.New().TestRoot(t)
	plant(t, src)
	dst := memfs.NewMac(memfs.Mac{FAT: true, AppleDouble: true, Folds: true, OwnersIgnored: true, Tick: 2 * time.Second}).TestRoot(t)
	_, found := predict(t, metadata.Darwin, src, dst)
	var kinds []string
	for _, f := range found {
		kind, _, _ := strings.Cut(f, ":")
		kinds = append(kinds, kind)
	}
	for _, want := range []string{"names that become one", "fifos and sockets", "times finer than DST's", "owners", "groups", "set-id bits"} {
		if !slices.Contains(kinds, want) {
			t.Errorf("%q is not found: %q", want, found)
		}
	}
}

// TestOnlyOwnedByOthers has a user predict who may not give files away.
func TestOnlyOwnedByOthers(t *testing.T) {
	src := memfs.New().TestRoot(t)
	plant(t, src)
	dst := memfs.NewMac(memfs.Mac{UID: 501, GID: 20}).TestRoot(t)
	r, err := survey.Run(t.Context(), survey.Config{
		Source: src, Dest: dst, Profile: metadata.Darwin, User: vfs.User{UID: 501, GID: 20}, Workers: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	var lost []survey.Kind
	for _, f := range r.Findings {
		lost = append(lost, f.Kind)
	}
	for _, want := range []survey.Kind{survey.Owner, survey.Group, survey.SetID} {
		if !slices.Contains(lost, want) {
			t.Errorf("%v is not found among %v", want, lost)
		}
	}
}

// A small is a directory of a volume with little room.
type small struct {
	vfs.Dir
	room vfs.Space
}

func (s small) Unwrap() vfs.Dir { return s.Dir }

func (s small) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	d, err := s.Dir.OpenDir(name, how)
	return small{d, s.room}, err
}

func (s small) Statfs() (vfs.Volume, error) {
	return vfs.Volume{Space: &s.room}, nil
}

func TestRoom(t *testing.T) {
	for _, c := range []struct {
		room          vfs.Space
		bytes, inodes int64
	}{
		{vfs.Space{Free: 1 << 20, BlockSize: 4096, Inodes: 10, LimitsInodes: true}, 0, 0},
		{vfs.Space{Free: 1 << 20, BlockSize: 4096, Inodes: 7, LimitsInodes: true}, 0, 3},
		{vfs.Space{Free: 1 << 20, BlockSize: 4096}, 0, 0},
		{vfs.Space{Free: 10000, BlockSize: 1000}, 0, 0},
		{vfs.Space{Free: 5000, BlockSize: 1000}, 3000, 0},
	} {
		src := memfs.New().TestRoot(t)
		plant(t, src)
		r, _ := predict(t, metadata.Linux, src, small{memfs.New().TestRoot(t), c.room})
		if r.LacksBytes() != c.bytes || r.LacksInodes() != c.inodes || r.Kept() != (c.bytes+c.inodes == 0) {
			t.Errorf("%+v: %d bytes and %d inodes are missing of %+v, want %d and %d", c.room, r.LacksBytes(), r.LacksInodes(), r.Totals, c.bytes, c.inodes)
		}
	}
}

func TestInterruptLeavesNothing(t *testing.T) {
	src, dst := memfs.New().TestRoot(t), memfs.NewFolding().TestRoot(t)
	plant(t, src)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	_, err := survey.Run(ctx, survey.Config{
		Source: src, Dest: dst, Profile: metadata.Linux, Workers: 2,
		Found: func(string, survey.Kind, string) { cancel(why) },
	})
	if !errors.Is(err, why) {
		t.Errorf("error %v, want %v", err, why)
	}
	if left := list(t, dst); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestDestIsClosed(t *testing.T) {
	dst := memfs.NewMac(memfs.Mac{UID: 501, GID: 20}).TestRoot(t)
	if err := vfs.Chmod(vfs.In(dst, "."), 0o500); err != nil {
		t.Fatal(err)
	}
	_, err := survey.Run(t.Context(), survey.Config{
		Source: memfs.New().TestRoot(t), Dest: dst, Profile: metadata.Darwin, User: vfs.User{UID: 501, GID: 20}, Workers: 2,
	})
	if !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v, want %v", err, fs.ErrPermission)
	}
}

func TestTable(t *testing.T) {
	var out strings.Builder
	r := &survey.Result{
		Totals: survey.Totals{Entries: 1, Bytes: 5 << 30, NeedBytes: 5 << 30, NeedInodes: 1},
		Room:   survey.Room{Space: vfs.Space{Free: 1 << 30, BlockSize: 4096, Inodes: 10, LimitsInodes: true}, Known: true},
		Findings: []survey.Finding{
			{Kind: survey.Name, Entries: 1, Examples: []string{"a\nb"}, Details: []string{":", "control characters"}},
			{Kind: survey.Rounded, Entries: 1, Examples: []string{"caf\u00e9"}},
		},
		Lacks: []string{"hard links", "ACLs"}, Granularity: survey.Granularity(2 * time.Second),
	}
	survey.Printer{Out: &out}.Print(r)
	const want = `SRC has 1 entry (0 directories), and files of 5.0 GiB
NOT KEPT  names that are refused (:  control characters): 1 entry, as 'a'$'\n''b'
          fails, and so does everything below such a directory
          remedy: rename in SRC; --exclude spares the failure
NOT KEPT  times finer than DST's (2s): 1 entry, as 'caf'$'\303\251'
          is rounded; later passes of psync take it for equal
          remedy: none needed
needs 5.0 GiB and 1 inode; DST has 1.0 GiB and 10 inodes
NO ROOM   4.0 GiB are missing
DST also lacks what SRC does not need: hard links, ACLs
psync copy -aHAX will not keep everything
`
	if out.String() != want {
		t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
	}
}
