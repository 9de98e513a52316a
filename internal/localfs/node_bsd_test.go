//go:build darwin || freebsd

package localfs

import (
	"errors"
	"io/fs"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

var (
	_ vfs.Node = (*file)(nil)
	_ vfs.Node = (*unopened)(nil)
)

// nodump is the flag UF_NODUMP, which every owner may set and which has no effect.
const nodump = 1

func nodeOf(t testing.TB, d vfs.Dir, name string) vfs.Node {
	t.Helper()
	n, err := d.Node(name)
	mustDo(t, err)
	t.Cleanup(func() { n.Close() })
	return n
}

func TestFifosHaveMetadataButAttributes(t *testing.T) {
	d := openTemp(t)
	mkfifo(t, d, "fifo")
	n := nodeOf(t, d, "fifo")
	if names, err := n.Xattrs(true); len(names) > 0 || err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Xattrs: %v, %v", names, err)
	}
	if _, err := n.Xattr("user.none"); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("Xattr: %v", err)
	}
	mustDo(t, vfs.Chmod(n, 0o640), vfs.SetFlags(n, nodump))
	if a, err := vfs.Stat(n); err != nil || a.Mode != fs.ModeNamedPipe|0o640 || a.Flags != nodump {
		t.Errorf("%+v, %v", a, err)
	}
	mustDo(t, vfs.SetFlags(n, 0))
}

func TestAbsentAttributes(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644")
	n := nodeOf(t, d, "file")
	_, err := n.Xattr("user.none")
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	for _, err := range []error{err, vfs.RemoveXattr(n, "user.none")} {
		if !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, unix.ENOATTR) {
			t.Errorf("got %v, want %v", err, unix.ENOATTR)
		}
	}
}

func TestDirectoryStaysOpen(t *testing.T) {
	d := openTemp(t)
	n, err := d.Node(".")
	mustDo(t, err, n.Close())
	_, err = vfs.Lstat(d, ".")
	mustDo(t, err)
}
