package backup

import (
	"errors"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/content"
	"psync/internal/metadata"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// newStore returns a store for the destination dst that keeps backups according to o.
func newStore(dst vfs.Dir, o Options) *Store {
	o.On = true
	return &Store{
		Options:  o,
		User:     vfs.User{},
		Profile:  metadata.Linux,
		Dest:     dst,
		OpenDest: func(path string) (vfs.Dir, error) { return vfs.Descend(dst, path, vfs.NoFollow.OpenDir) },
		Lifter:   plain{},
	}
}

// plain lifts nothing.
type plain struct{}

func (plain) Force(do func() error, _ vfs.Dir, _ string) error        { return do() }
func (plain) Remove(in vfs.Dir, name string, only *vfs.Premise) error { return in.Remove(name, only) }

func (plain) Rename(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	return vfs.Rename(from, oldname, to, newname, nil)
}

func (plain) Link(from vfs.Dir, name string, to vfs.Dir, newname string) error {
	return to.Link(from, name, newname)
}

// newTree returns the root of a file system in memory that holds a tree.
func newTree(t *testing.T, tree string) vfs.Dir {
	t.Helper()
	d := memfs.New().Root()
	t.Cleanup(func() { d.Close() })
	fstest.Fill(t, d, tree)
	return d
}

const old = "640 @2000-01-01T00:00:00Z old"

// TestBackupsBesideTheEntry has a source entry with the name of one of the backups.
func TestBackupsBesideTheEntry(t *testing.T) {
	dst := newTree(t, "a "+old+"\nb "+old+"\nc "+old+"\nd~/x 644\nd "+old+"\n")
	in := Dirs{Source: newTree(t, "b~ 644\n"), Dest: dst, Backups: dst}
	s := newStore(dst, Options{Suffix: "~"})
	c := &content.Copier{}
	if _, err := s.Keep(t.Context(), in, "a", c); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"b", "d"} {
		if err := s.RemoveOrMove(t.Context(), in, name, c); err != nil {
			t.Error(err)
		}
	}
	b, err := s.CopyBeforeRewrite(t.Context(), in, "c", c)
	if err != nil {
		t.Error(err)
	}
	const marked = "640 @1987-01-05T18:48:32Z old"
	if got := fstest.Tree(t, dst, fstest.WithMtimes); !strings.Contains(got, "c~ "+marked+"\n") {
		t.Errorf("the backup has no mark while the file is written:\n%s", got)
	}
	if err := b.Finish(); err != nil {
		t.Error(err)
	}
	got := fstest.Tree(t, dst, fstest.WithMtimes)
	for _, want := range []string{"a " + old, "a~ " + old, "b.2~ " + old, "c " + old, "c~ " + old, "d~ " + old} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if !strings.Contains(got, "d~.2/x 644 ") {
		t.Errorf("a directory that was in the way is gone:\n%s", got)
	}
}

// TestDirectoriesInTheWay expects that nothing is lost that a directory in the place of a backup holds.
func TestDirectoriesInTheWay(t *testing.T) {
	dst, bak := newTree(t, "empty "+old+"\nfull "+old+"\n"), newTree(t, "empty/ 755\nfull/older 644\n")
	s := newStore(dst, Options{Dir: bak})
	for _, name := range []string{"empty", "full"} {
		if err := s.RemoveOrMove(t.Context(), Dirs{Dest: dst, Backups: bak}, name, &content.Copier{}); err != nil {
			t.Error(err)
		}
	}
	names := ""
	for line := range strings.Lines(fstest.Tree(t, bak)) {
		name, _, _ := strings.Cut(line, " ")
		names += name + " "
	}
	if names != "empty full full.2/ full.2/older " {
		t.Errorf("the directory for backups holds %s", names)
	}
}

// TestOlderBackupKeepsItsMark rewrites a file, which fails, then cannot open it, and then rewrites it whole. Until then the first
// backup is the only good copy of the old contents.
func TestOlderBackupKeepsItsMark(t *testing.T) {
	dst := newTree(t, "f "+old+"\n")
	in, s, c := Dirs{Dest: dst, Backups: dst}, newStore(dst, Options{Suffix: "~"}), &content.Copier{}
	const marked, kept = "f~ 640 @1987-01-05T18:48:32Z old\n", "f~ " + old + "\n"
	attempt := func(end func(b *Backup) error, want string) {
		t.Helper()
		b, err := s.CopyBeforeRewrite(t.Context(), in, "f", c)
		if err == nil && end != nil {
			err = end(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := fstest.Tree(t, dst, fstest.WithMtimes); !strings.Contains(got, want) || strings.Count(got, "\n") != 2 {
			t.Errorf("%q is missing, or there is more:\n%s", want, got)
		}
	}
	attempt((*Backup).FinishUnwritten, kept) // it could not be opened
	attempt(nil, marked)
	s.MarkFailed(dst, "f")
	attempt((*Backup).FinishUnwritten, marked)
	attempt((*Backup).Finish, kept)
}

// TestBackupsOnAnotherVolume expects copies, in directories that get the attributes of their originals.
func TestBackupsOnAnotherVolume(t *testing.T) {
	const tree = "d/ 500 @2000-01-01T00:00:00Z\nd/e/ 2750 @2001-01-01T00:00:00Z\nd/e/f " + old + "\nd/e/l @2000-01-01T00:00:00Z -> x\n"
	dst, bak := newTree(t, tree), newTree(t, "")
	s := newStore(dst, Options{Dir: bak})
	var later []*DirAttrs
	s.ApplyLast = func(a *DirAttrs) { later = append(later, a) }
	e, err := s.OpenDest("d/e")
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	var o *Original
	for _, path := range []string{"", "d", "d/e"} {
		dir, err := s.OpenDest(path)
		if err != nil {
			t.Fatal(err)
		}
		attr, err := vfs.Lstat(dir, ".")
		if err != nil {
			t.Fatal(err)
		}
		o = s.Original(attr, attr.Mode, o)
		if path != "" {
			dir.Close()
		}
	}
	to, err := s.OpenDir(e, "d/e", o)
	if err != nil {
		t.Fatal(err)
	}
	defer to.Close()
	for _, name := range []string{"f", "l"} {
		if err := s.RemoveOrMove(t.Context(), Dirs{Dest: e, Backups: to}, name, &content.Copier{}); err != nil {
			t.Error(err)
		}
	}
	for _, a := range slices.Backward(later) {
		if err := s.Apply(a); err != nil {
			t.Errorf("%s: %v", a.Path, err)
		}
	}
	want := fstest.Tree(t, newTree(t, tree), fstest.WithMtimes)
	if got := fstest.Tree(t, bak, fstest.WithMtimes); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

// TestErrorsOfBackupsHideTheirCause checks that a full volume of backups does not make the destination look full.
func TestErrorsOfBackupsHideTheirCause(t *testing.T) {
	dst := newTree(t, "f "+old+"\n")
	s := newStore(dst, Options{Dir: faultfs.New(newTree(t, ""), faultfs.Nth(1, syscall.ENOSPC).Before)})
	_, err := s.Keep(t.Context(), Dirs{Dest: dst, Backups: s.Dir}, "f", &content.Copier{})
	if err == nil || !strings.HasPrefix(err.Error(), "backup: ") || errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got error %v", err)
	}
}
