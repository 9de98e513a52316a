package localfs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"slices"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs/kernel"
)

func TestACL(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644\ndir/")
	everyone := kernel.ACE{Who: kernel.Everyone, Flags: kernel.ACEDeny, Rights: 1 << 4}
	for _, name := range []string{"file", "dir", "."} {
		n := nodeOf(t, d, name)
		_, err := n.Xattr(kernel.ACLName)
		if !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: no ACL is %v", name, err)
		}
		want := kernel.FormatACL(everyone)
		mustDo(t, vfs.SetXattr(n, kernel.ACLName, want))
		if got, err := n.Xattr(kernel.ACLName); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: got %x, %v; want %x", name, got, err, want)
		}
		for _, acls := range []bool{false, true} {
			if names, err := n.Xattrs(acls); err != nil || slices.Contains(names, kernel.ACLName) != acls {
				t.Errorf("%s: Xattrs(%v) = %q, %v", name, acls, names, err)
			}
		}
		mustDo(t, vfs.RemoveXattr(n, kernel.ACLName))
		if err := vfs.RemoveXattr(n, kernel.ACLName); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: removed again: %v", name, err)
		}
	}
}

func TestResourceForkInParts(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644")
	n := nodeOf(t, d, "file")
	long := n
	if _, err := vfs.XattrSize(long, "com.apple.FinderInfo"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("size of another attribute: %v", err)
	}
	first, second := bytes.Repeat([]byte("first"), 1000), []byte("second")
	for off, p := range map[int64][]byte{0: first, int64(len(first)): second} {
		mustDo(t, vfs.WriteXattrAt(long, sys.ResourceFork, p, off))
	}
	size, err := vfs.XattrSize(long, sys.ResourceFork)
	if want := int64(len(first) + len(second)); err != nil || size != want {
		t.Errorf("size %d, %v; want %d", size, err, want)
	}
	got := make([]byte, len(second)+1)
	m, err := long.ReadXattrAt(sys.ResourceFork, got, int64(len(first)))
	if err != io.EOF || !bytes.Equal(got[:m], second) {
		t.Errorf("got %q, %v", got[:m], err)
	}
	mustDo(t, vfs.SetXattr(n, sys.ResourceFork, second))
	if value, err := n.Xattr(sys.ResourceFork); err != nil || !bytes.Equal(value, second) {
		t.Errorf("got %q, %v", value, err)
	}
}

func TestBornAfterItWasModified(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644\nlink -> file")
	mtime, btime := time.Unix(1_000_000_000, 1), time.Unix(1_100_000_000, 2)
	for _, name := range []string{"file", "link"} {
		n := nodeOf(t, d, name)
		mustDo(t, vfs.Chtimes(n, mtime, mtime), vfs.SetBtime(n, btime))
		if a, err := vfs.Stat(n); err != nil || !a.Btime.Equal(btime) || !a.Mtime.Equal(mtime) {
			t.Errorf("%s: born %v, modified %v, %v", name, a.Btime, a.Mtime, err)
		}
	}
}

func TestCloneOfALockedFile(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 444 contents")
	src, err := d.OpenFile("file", vfs.ReadOnly, 0)
	mustDo(t, err)
	defer src.Close()
	locked := src
	mustDo(t, vfs.SetXattr(locked, "user.a", []byte("value")), vfs.SetFlags(locked, unix.UF_IMMUTABLE|unix.UF_HIDDEN))
	defer func() { mustDo(t, vfs.SetFlags(locked, 0)) }()

	f, err := d.CloneFile(src, "clone", true)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	mustDo(t, err)
	defer f.Close()
	if a, err := vfs.Stat(f); err != nil || a.Flags != unix.UF_HIDDEN || a.Size != int64(len("contents")) {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := f.WriteAt([]byte("x"), 0); !errors.Is(err, unix.EBADF) {
		t.Errorf("writing to it: %v, want %v", err, unix.EBADF)
	}
	if value, err := f.Xattr("user.a"); err != nil || string(value) != "value" {
		t.Errorf("attribute %q, %v", value, err)
	}
	if _, err := d.CloneFile(src, "clone", true); !errors.Is(err, fs.ErrExist) {
		t.Errorf("cloned over itself: %v", err)
	}
	mustDo(t, d.Rename("clone", nil, "renamed", nil))
}
