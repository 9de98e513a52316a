package fstest

import (
	"errors"
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
)

func mknodPromises() []promise {
	return []promise{
		{"Mknod makes a fifo", mknodSpecial(fs.ModeNamedPipe)},
		{"Mknod makes a socket", mknodSpecial(fs.ModeSocket)},
		{"Mknod makes a device, for those who may", mknodDevice},
		{"Mknod refuses an existing name and leaves it alone", mknodExisting},
		{"Mknod makes nothing of other types", mknodOther},
		{"a Node of a fifo or link does not wait", nodeOfFifo},
	}
}

// mknod makes an entry, or skips the test where there are none of its type, or not
// for this user.
func mknod(t testing.TB, d vfs.Dir, name string, mode fs.FileMode, dev uint64) {
	t.Helper()
	needs(t, d, vfs.CanMknod)
	err := d.Mknod(name, mode, dev)
	if err != nil {
		if !errors.Is(err, fs.ErrPermission) {
			wantError(t, err, name, errors.ErrUnsupported)
		}
		wantNames(t, d)
		t.Skip(err)
	}
}

func mknodSpecial(typ fs.FileMode) func(*testing.T, vfs.Dir) {
	return func(t *testing.T, d vfs.Dir) {
		for _, perm := range []fs.FileMode{0, 0o600, 0o644, 0o777} {
			mknod(t, d, "special", typ|perm, 0)
			if got := lstat(t, d, "special").Mode; got != typ|perm {
				t.Errorf("mode %v, want %v", got, typ|perm)
			}
			must(t, d.Remove("special"))
		}
	}
}

func mknodDevice(t *testing.T, d vfs.Dir) {
	// The number is one that any system may have, of whatever device.
	const dev = 0x103
	for _, typ := range []fs.FileMode{fs.ModeDevice | fs.ModeCharDevice, fs.ModeDevice} {
		mknod(t, d, "device", typ|0o640, dev)
		a := lstat(t, d, "device")
		if a.Mode != typ|0o640 {
			t.Errorf("mode %v, want %v", a.Mode, typ|0o640)
		}
		if a.Rdev != dev {
			t.Errorf("device %#x, want %#x", a.Rdev, dev)
		}
		must(t, d.Remove("device"))
	}
}

func mknodExisting(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMknod)
	mknod(t, d, "fifo", fs.ModeNamedPipe|0o600, 0)
	must(t, d.Remove("fifo"))
	Fill(t, d, "file 644 precious\ndir/\nlink -> file\ndangling -> nowhere")
	before := Tree(t, d, WithMtimes)
	for _, name := range []string{"file", "dir", "link", "dangling"} {
		wantError(t, d.Mknod(name, fs.ModeNamedPipe|0o600, 0), name, fs.ErrExist)
	}
	if after := Tree(t, d, WithMtimes); after != before {
		t.Errorf("before:\n%safter:\n%s", before, after)
	}
}

func mknodOther(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanMknod)
	for _, typ := range []fs.FileMode{0, fs.ModeDir, fs.ModeSymlink, fs.ModeIrregular} {
		wantError(t, d.Mknod("new", typ|0o600, 0), "new", nil)
	}
	wantNames(t, d)
}

func nodeOfFifo(t *testing.T, d vfs.Dir) {
	needs(t, d, vfs.CanNode)
	mknod(t, d, "fifo", fs.ModeNamedPipe|0o600, 0)
	must(t, d.Symlink("fifo", "link"))
	for _, name := range []string{"fifo", "link"} {
		n := node(t, d, name)
		wantSame(t, n, d, name)
		_, err := n.Xattrs(true)
		wantNotMore(t, err)
		_, err = n.Xattr("user.a")
		wantError(t, err, name, nil)
		wantNotMore(t, n.SetXattr("user.a", nil))
		wantNotMore(t, n.SetBtime(time.Unix(1_000_000_000, 0)))
		flags, err := n.Flags()
		wantNotMore(t, err)
		if err == nil {
			must(t, n.SetFlags(flags))
		}
		must(t, n.Chown(-1, -1))
		must(t, n.Chtimes(time.Time{}, time.Unix(1_000_000_000, 0)))
	}
	must(t, node(t, d, "fifo").Chmod(0o640))
	if got, want := lstat(t, d, "fifo").Mode, fs.ModeNamedPipe|0o640; got != want {
		t.Errorf("mode %v, want %v", got, want)
	}
}
