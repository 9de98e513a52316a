package vfstest_test

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/vfstest"
)

var errFault = errors.New("fault")

func TestFaultyWithoutFaults(t *testing.T) {
	vfstest.TestDir(t, func(t testing.TB) vfs.Dir { return vfstest.NewFaulty(newRoot(t), nil) })
}

// An operation is tried on a Dir with a file, a directory and a link.
type operation struct {
	op, name string
	do       func(d vfs.Dir) error
}

// dirOperations are those of a Dir that take nothing else to be done before.
var dirOperations = []operation{
	{"lstat", "file", func(d vfs.Dir) error { _, err := d.Lstat("file"); return err }},
	{"readdir", ".", func(d vfs.Dir) error { return d.ReadDir(func([]vfs.Entry) error { return nil }) }},
	{"opendir", "dir", func(d vfs.Dir) error { return closeDir(d.OpenDir("dir")) }},
	{"open", "file", func(d vfs.Dir) error { return closeFile(d.Open("file")) }},
	{"create", "new", func(d vfs.Dir) error { return closeFile(d.Create("new", 0o644)) }},
	{"mkdir", "new", func(d vfs.Dir) error { return d.Mkdir("new", 0o755) }},
	{"symlink", "new", func(d vfs.Dir) error { return d.Symlink("target", "new") }},
	{"readlink", "link", func(d vfs.Dir) error { _, err := d.Readlink("link"); return err }},
	{"rename", "new", func(d vfs.Dir) error { return d.Rename("file", "new") }},
	{"remove", "file", func(d vfs.Dir) error { return d.Remove("file") }},
	{"rmdir", "dir", func(d vfs.Dir) error { return d.Rmdir("dir") }},
	{"chmod", "file", func(d vfs.Dir) error { return d.Chmod("file", 0o600) }},
	{"lchown", "file", func(d vfs.Dir) error { return d.Lchown("file", 12, 34) }},
	{"chtimes", "file", func(d vfs.Dir) error { return d.Chtimes("file", long, long) }},
	{"stat", "link", func(d vfs.Dir) error { _, err := d.(vfs.Follower).Stat("link"); return err }},
	{"followdir", "dir", func(d vfs.Dir) error { return closeDir(d.(vfs.Follower).FollowDir("dir")) }},
	{"followfile", "link", func(d vfs.Dir) error { return closeFile(d.(vfs.Follower).FollowFile("link")) }},
	{"link", "new", func(d vfs.Dir) error { return d.(vfs.Linker).Link(d, "file", "new") }},
	{"move", "new", func(d vfs.Dir) error { return d.(vfs.Mover).Move("file", d, "new") }},
	{"rewrite", "file", func(d vfs.Dir) error { return closeFile(d.(vfs.Rewriter).Rewrite("file")) }},
}

// fileOperations are those of a File, and closing.
var fileOperations = []operation{
	{"close", "dir", func(d vfs.Dir) error { return closeDir(d.OpenDir("dir")) }},
	{"close", "dir", func(d vfs.Dir) error { return closeDir(d.(vfs.Follower).FollowDir("dir")) }},
	{"rclose", "file", func(d vfs.Dir) error { return closeFile(d.Open("file")) }},
	{"rclose", "link", func(d vfs.Dir) error { return closeFile(d.(vfs.Follower).FollowFile("link")) }},
	{"fclose", "file", func(d vfs.Dir) error { return closeFile(d.(vfs.Rewriter).Rewrite("file")) }},
	{"fclose", "new", func(d vfs.Dir) error { return closeFile(d.Create("new", 0o644)) }},
	{"stat", "new", onNew(func(f vfs.File) error { _, err := f.Stat(); return err })},
	{"write", "new", onNew(func(f vfs.File) error { _, err := f.WriteAt([]byte("12345678"), 0); return err })},
	{"truncate", "new", onNew(func(f vfs.File) error { return f.Truncate(10) })},
	{"fchmod", "new", onNew(func(f vfs.File) error { return f.Chmod(0o600) })},
	{"fchown", "new", onNew(func(f vfs.File) error { return f.Chown(12, 34) })},
	{"fchtimes", "new", onNew(func(f vfs.File) error { return f.Chtimes(long, long) })},
	{"read", "file", func(d vfs.Dir) error {
		f, err := d.Open("file")
		if err != nil {
			return err
		}
		_, err = f.ReadAt(make([]byte, 2), 0)
		return errors.Join(err, f.Close())
	}},
}

var long = time.Unix(1_000_000_000, 0)

// onNew returns a function that does something to a new file.
func onNew(do func(f vfs.File) error) func(d vfs.Dir) error {
	return func(d vfs.Dir) error {
		f, err := d.Create("new", 0o644)
		if err != nil {
			return err
		}
		return errors.Join(do(f), f.Close())
	}
}

func closeDir(d vfs.Dir, err error) error {
	if err != nil {
		return err
	}
	return d.Close()
}

func closeFile(f vfs.File, err error) error {
	if err != nil {
		return err
	}
	return f.Close()
}

// newTree returns a Dir to try operations on.
func newTree(t testing.TB) vfs.Dir {
	d := newRoot(t)
	vfstest.Fill(t, d, "file 644 contents\ndir/\nlink -> file")
	return d
}

// failing wraps d and fails one operation.
func failing(d vfs.Dir, fail operation) vfs.Dir {
	return vfstest.NewFaulty(d, func(op, name string) error {
		if op == fail.op && name == fail.name {
			return errFault
		}
		return nil
	})
}

func TestFaultyReturnsPathError(t *testing.T) {
	for _, tt := range slices.Concat(dirOperations, fileOperations) {
		err := tt.do(closeLater(t, failing(newTree(t), tt)))
		pe, ok := errors.AsType[*fs.PathError](err)
		if !ok || pe.Op != tt.op || pe.Path != tt.name || pe.Err != errFault {
			t.Errorf("error %#v, want a PathError of %s %s: %v", err, tt.op, tt.name, errFault)
		}
	}
}

func TestFaultyDoesNotDoWhatFails(t *testing.T) {
	for _, tt := range dirOperations {
		inner := newTree(t)
		before := vfstest.Tree(t, inner, vfstest.WithRoot, vfstest.WithMtimes)
		if tt.do(closeLater(t, failing(inner, tt))) == nil {
			t.Errorf("%s did not fail", tt.op)
		}
		if after := vfstest.Tree(t, inner, vfstest.WithRoot, vfstest.WithMtimes); after != before {
			t.Errorf("%s:\nbefore:\n%safter:\n%s", tt.op, before, after)
		}
	}
}

func TestFaultyAnnouncesEachOperation(t *testing.T) {
	for _, tt := range slices.Concat(dirOperations, fileOperations) {
		var calls []string
		d := closeLater(t, vfstest.NewFaulty(newTree(t), func(op, name string) error {
			calls = append(calls, op+" "+name)
			return nil
		}))
		must(t, tt.do(d))
		if !slices.Contains(calls, tt.op+" "+tt.name) {
			t.Errorf("%s %s was not announced, but %q", tt.op, tt.name, calls)
		}
	}
}

func TestFaultyWritesHalf(t *testing.T) {
	inner := newRoot(t)
	fail := vfstest.NewFailNth(2, errFault)
	d := closeLater(t, vfstest.NewFaulty(inner, fail.Before))
	f, err := d.Create("f", 0o644)
	must(t, err)
	n, err := f.WriteAt([]byte("12345678"), 0)
	if n != 4 || !errors.Is(err, errFault) {
		t.Errorf("WriteAt = %d, %v; want 4, %v", n, err, errFault)
	}
	must(t, f.Close())
	if got, want := vfstest.Tree(t, inner), "f 644 1234\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestFailNth(t *testing.T) {
	fail := vfstest.NewFailNth(3, errFault)
	d := closeLater(t, vfstest.NewFaulty(newRoot(t), fail.Before))
	if got, want := fail.String(), "changing operation 3 (not reached, saw 0)"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
	must(t, d.Mkdir("a", 0o755))
	_, err := d.Lstat("a")
	must(t, err)
	must(t, d.Mkdir("b", 0o755))
	if fail.Reached() {
		t.Error("reached after two changes")
	}
	if err := d.Rename("a", "c"); !errors.Is(err, errFault) {
		t.Errorf("the third change: %v, want %v", err, errFault)
	}
	must(t, d.Rename("a", "c"))
	if !fail.Reached() || fail.N() != 3 || fail.Err() != errFault {
		t.Errorf("reached %v, n %d, error %v", fail.Reached(), fail.N(), fail.Err())
	}
	if got, want := fail.String(), `changing operation 3 (rename "c")`; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func TestChanging(t *testing.T) {
	reading := []string{
		"lstat", "readdir", "opendir", "open", "readlink", "close", "rclose", "stat", "read", "followdir", "followfile",
	}
	for _, tt := range slices.Concat(dirOperations, fileOperations) {
		if got, want := vfstest.Changing(tt.op), !slices.Contains(reading, tt.op); got != want {
			t.Errorf("Changing(%q) = %v, want %v", tt.op, got, want)
		}
	}
}

// volume is a Dir with the optional abilities of one.
type volume struct{ vfs.Dir }

func (volume) Masked() bool                { return true }
func (volume) Statfs() (vfs.Volume, error) { return vfs.Volume{Network: true}, nil }

func TestWrapperForwardsDirAbilities(t *testing.T) {
	plain := closeLater(t, vfstest.NewFaulty(newRoot(t), nil))
	able := closeLater(t, vfstest.NewFaulty(volume{newRoot(t)}, nil))
	if plain.(vfs.Masker).Masked() || !able.(vfs.Masker).Masked() {
		t.Error("Masked is not that of the inner Dir")
	}
	if _, err := plain.(vfs.Statfser).Statfs(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Statfs of a Dir without: %v, want %v", err, errors.ErrUnsupported)
	}
	if v, err := able.(vfs.Statfser).Statfs(); err != nil || !v.Network {
		t.Errorf("Statfs = %+v, %v", v, err)
	}
}
