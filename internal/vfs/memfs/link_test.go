package memfs_test

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestMemsDoNotShareEntries(t *testing.T) {
	one, two := memfs.New().TestRoot(t), memfs.New().TestRoot(t)
	fstest.Fill(t, one, "file 644 contents")
	for op, err := range map[string]error{
		"Link": two.Link(one, "file", "new"),
		"Move": one.Rename("file", two, "new", nil),
	} {
		if !errors.Is(err, errors.ErrUnsupported) || !errors.Is(err, syscall.EXDEV) {
			t.Errorf("%s: %v, want %v and %v", op, err, errors.ErrUnsupported, syscall.EXDEV)
		}
	}
	if got, want := fstest.Tree(t, one)+fstest.Tree(t, two), "file 644 contents\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestMemRefusesTheOtherDirClosed(t *testing.T) {
	m := memfs.New()
	d, other := m.TestRoot(t), m.Root()
	fstest.Fill(t, d, "file 644")
	must(t, other.Close())
	for op, err := range map[string]error{
		"Link": d.Link(other, "file", "new"),
		"Move": d.Rename("file", other, "new", nil),
	} {
		if !errors.Is(err, fs.ErrClosed) {
			t.Errorf("%s: %v, want %v", op, err, fs.ErrClosed)
		}
	}
}

func TestMemMovesNothingIntoARemovedDirectory(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "file 644\ndir/")
	dir, err := d.OpenDir("dir", vfs.NoFollow)
	must(t, err)
	must(t, d.Rmdir("dir"))
	if err := d.Rename("file", dir, "f", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Move: %v, want %v", err, fs.ErrNotExist)
	}
	if err := dir.Link(d, "file", "f"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Link: %v, want %v", err, fs.ErrNotExist)
	}
	must(t, dir.Close())
}

func TestMemRenameOfTwoNamesOfAFileKeepsBoth(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "a 644 contents")
	must(t, d.Link(d, "a", "b"))
	must(t, d.Rename("a", nil, "b", nil)) // as rename(2) has it
	if got, want := fstest.Tree(t, d), "a 644 contents\nb 644 contents\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestMemAbsoluteLinkStartsAtItsRoot(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "dir/file 644 contents\ndir/sub/link -> /dir/file\ndir/sub/up -> /../../dir")
	dir, err := d.OpenDir("dir", vfs.Follow)
	must(t, err)
	sub, err := dir.OpenDir("sub", vfs.NoFollow)
	must(t, err)
	want, err := vfs.Lstat(dir, "file")
	must(t, err)
	if got, err := sub.Statx("link", vfs.StatxFollow); err != nil || got != want {
		t.Errorf("Stat = %+v, %v; want %+v", got, err, want)
	}
	up, err := sub.OpenDir("up", vfs.Follow)
	must(t, err)
	if got, err := vfs.Lstat(up, "file"); err != nil || got != want {
		t.Errorf("above the root: %+v, %v; want %+v", got, err, want)
	}
	must(t, errors.Join(up.Close(), sub.Close(), dir.Close()))
}

func TestMemFollowsFortyLinks(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "0 644")
	name := func(i int) string { return string(rune('0' + i)) }
	for i := range 41 {
		must(t, vfs.Symlink(d, name(i), name(i+1)))
	}
	if _, err := d.Statx(name(40), vfs.StatxFollow); err != nil {
		t.Errorf("40 links: %v", err)
	}
	if _, err := d.Statx(name(41), vfs.StatxFollow); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("41 links: %v, want %v", err, syscall.ELOOP)
	}
}

func TestMemRewriteOfAPipe(t *testing.T) {
	d := memfs.New().TestRoot(t)
	fstest.Fill(t, d, "pipe 600 (fifo)")
	f, err := d.OpenFile("pipe", vfs.ReadWrite, 0)
	must(t, err)
	if a, err := vfs.Stat(f); err != nil || a.Mode.Type() != fs.ModeNamedPipe {
		t.Errorf("Stat = %+v, %v", a, err)
	}
	if _, err := f.WriteAt([]byte("x"), 0); err == nil {
		t.Error("a pipe was written at an offset")
	}
	if err := f.Truncate(0); err == nil {
		t.Error("a pipe was truncated")
	}
	must(t, f.Close())
}
