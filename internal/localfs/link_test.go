package localfs

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// wantUnsupported checks that an error says that an operation is unsupported, and wraps the errno.
func wantUnsupported(t testing.TB, err error, why unix.Errno) {
	t.Helper()
	if _, ok := errors.AsType[*fs.PathError](err); !ok {
		t.Errorf("error %v is not a *fs.PathError", err)
	}
	if !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("error %v does not match %v", err, errors.ErrUnsupported)
	}
	if errno, _ := errors.AsType[unix.Errno](err); errno != why {
		t.Errorf("error %v has errno %v, want %v", err, errno, why)
	}
}

func TestAnswersOfFileSystemsThatLackIt(t *testing.T) {
	for _, tt := range []struct {
		errno   unix.Errno
		lacking bool
	}{
		{unix.EXDEV, true},
		{unix.EOPNOTSUPP, true},
		{unix.ENOTSUP, true},
		{unix.ENOSYS, true},
		{unix.EMLINK, false},
		{unix.EEXIST, false},
		{unix.ENOENT, false},
		{unix.EACCES, false},
		{unix.EINVAL, false},
	} {
		err := vfs.PathError("link", "f", apart(tt.errno))
		if tt.lacking {
			wantUnsupported(t, err, tt.errno)
		} else if !errors.Is(err, tt.errno) || errors.Is(err, errors.ErrUnsupported) {
			t.Errorf("%v became %v", tt.errno, err)
		}
	}
	if err := apart(nil); err != nil {
		t.Errorf("no error became %v", err)
	}
}

// TestLinkOfADirectoryIsUnsupported gets the errno that Linux also returns when a file system has no hard links at all.
func TestLinkOfADirectoryIsUnsupported(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "dir/")
	wantUnsupported(t, d.Link(d, "dir", "new"), unix.EPERM)
}

func TestLinkAndMoveSeeThroughWrappers(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644 contents\nsub/")
	sub, err := d.OpenDir("sub", vfs.NoFollow)
	mustDo(t, err)
	defer sub.Close()
	wrapped := faultfs.NewLatency(faultfs.New(sub, nil), 0)
	mustDo(t,
		d.Rename("file", wrapped, "a", nil),
		d.Link(wrapped, "a", "b"))
	if got, want := fstest.Tree(t, d), "b 644 contents\nsub/ 755\nsub/a 644 contents\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestFollowsAnAbsoluteLink(t *testing.T) {
	top, other := t.TempDir(), openTemp(t)
	d, err := Open(top)
	mustDo(t, err)
	defer d.Close()
	fstest.Fill(t, d, "dir/file 644 contents")
	fstest.Fill(t, other, fmt.Sprintf("file -> %s\ndir -> %s", filepath.Join(top, "dir", "file"), filepath.Join(top, "dir")))
	follower := other

	if a, err := follower.Statx("file", vfs.StatxFollow); err != nil || a.Size != int64(len("contents")) {
		t.Errorf("Stat = %+v, %v", a, err)
	}
	dir, err := follower.OpenDir("dir", vfs.Follow)
	mustDo(t, err)
	defer dir.Close()
	if got, want := fstest.Tree(t, dir), "file 644 contents\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	f, err := follower.OpenFile("file", vfs.ReadFollow, 0)
	mustDo(t, err)
	mustDo(t, f.Close())
}
