package memfs_test

import (
	"errors"
	"io/fs"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

// newFolding returns the root of a new Mem that ignores case, with a tree in it.
func newFolding(t testing.TB, tree string) vfs.Dir {
	d := memfs.NewFolding().TestRoot(t)
	fstest.Fill(t, d, tree)
	return d
}

func TestFoldingMem(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return memfs.NewFolding().TestRoot(t) })
}

func TestFoldingMemFindsAnySpelling(t *testing.T) {
	d := newFolding(t, "ReadMe 644 contents\nDir/Sub/f 644 within\nlink -> dir/SUB/F")
	want, err := vfs.Lstat(d, "ReadMe")
	must(t, err)
	for _, name := range []string{"readme", "README", "rEADmE"} {
		if a, err := vfs.Lstat(d, name); err != nil || a.ID() != want.ID() {
			t.Errorf("Lstat(%q) = %+v, %v; want %+v", name, a, err, want)
		}
		if err := closeFile(d.OpenFile(name, vfs.Create, 0o644)); !errors.Is(err, fs.ErrExist) {
			t.Errorf("Create(%q): %v, want %v", name, err, fs.ErrExist)
		}
	}
	if a, err := d.Statx("LINK", vfs.StatxFollow); err != nil || a.Size != int64(len("within")) {
		t.Errorf("Stat through a link = %+v, %v", a, err)
	}
	must(t, closeDir(d.OpenDir("dIR", vfs.NoFollow)))
	must(t, d.Remove("README", nil))
	if _, err := vfs.Lstat(d, "ReadMe"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Lstat after Remove: %v, want %v", err, fs.ErrNotExist)
	}
}

func TestFoldingMemKeepsTheFirstSpelling(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(d vfs.Dir) error
		want string
	}{
		{"renamed to another case", func(d vfs.Dir) error { return d.Rename("File", nil, "fILE", nil) }, "File 644 old\nother 644 new\n"},
		{"replaced", func(d vfs.Dir) error { return d.Rename("OTHER", nil, "file", nil) }, "File 644 new\n"},
		{"renamed away", func(d vfs.Dir) error { return d.Rename("FILE", nil, "New", nil) }, "New 644 old\nother 644 new\n"},
		{"made again", func(d vfs.Dir) error { return errors.Join(d.Remove("file", nil), vfs.Symlink(d, "x", "fiLe")) }, "fiLe -> x\nother 644 new\n"},
	} {
		d := newFolding(t, "File 644 old\nother 644 new")
		must(t, tt.do(d))
		if got := fstest.Tree(t, d); got != tt.want {
			t.Errorf("%s: got:\n%swant:\n%s", tt.name, got, tt.want)
		}
	}
}

func TestMemDistinguishesCases(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "a 644 small\nA 644 large")
	if got, want := fstest.Tree(t, d), "A 644 large\na 644 small\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
