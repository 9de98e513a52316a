package localfs

import (
	"errors"
	"io/fs"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

var _ vfs.Node = (*file)(nil)

func nodeOf(t testing.TB, d vfs.Dir, name string) vfs.Node {
	t.Helper()
	n, err := d.Node(name)
	mustDo(t, err)
	t.Cleanup(func() { n.Close() })
	return n
}

// wantErrors checks that err matches all of the targets.
func wantErrors(t testing.TB, err error, targets ...error) {
	t.Helper()
	for _, target := range targets {
		if !errors.Is(err, target) {
			t.Errorf("error %v does not match %q", err, target)
		}
	}
}

// TestDirectoryThatMayNotBeSearched uses a directory that can be accessed only by its descriptor, unless the user is
// root.
func TestDirectoryThatMayNotBeSearched(t *testing.T) {
	d := openTemp(t)
	n := nodeOf(t, d, ".")
	setOrSkip(t, n, "user.a", []byte("value"))
	mustDo(t, vfs.Chmod(n, 0o600))
	t.Cleanup(func() { mustDo(t, vfs.Chmod(n, 0o700)) }) // for it to be removed
	wantValue(t, n, "user.a", []byte("value"))
	old := time.Unix(1_000_000_000, 0)
	_, err := vfs.Stat(n)
	mustDo(t, err, vfs.SetXattr(n, "user.b", nil), vfs.RemoveXattr(n, "user.b"), vfs.Chown(n, -1, -1), vfs.Chtimes(n, old, old))
	flags, err := n.Flags()
	if !errors.Is(err, errors.ErrUnsupported) {
		mustDo(t, err, vfs.SetFlags(n, flags))
	}
	if os.Geteuid() != 0 {
		_, err := nodeOf(t, d, "file").Xattrs(false)
		wantErrors(t, err, fs.ErrPermission)
	}
}

// TestImmutableFile locks a file by its name and unlocks it again.
func TestImmutableFile(t *testing.T) {
	const immutable = 0x10 // FS_IMMUTABLE_FL
	d := openTemp(t)
	fstest.Fill(t, d, "file 644")
	n := nodeOf(t, d, "file")
	flags, err := n.Flags()
	if err == nil {
		err = vfs.SetFlags(n, flags|immutable)
	}
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrPermission) {
		t.Skip(err)
	}
	mustDo(t, err)
	defer func() { mustDo(t, vfs.SetFlags(n, flags), vfs.Chmod(n, 0o600)) }()
	wantErrors(t, vfs.Chmod(n, 0o600), unix.EPERM, fs.ErrPermission)
	wantErrors(t, vfs.SetXattr(n, "user.a", nil), unix.EPERM, fs.ErrPermission)
	wantErrors(t, d.Remove("file", nil), unix.EPERM, fs.ErrPermission)
	if got, err := n.Flags(); err != nil || got != flags|immutable {
		t.Errorf("flags %#x, %v; want %#x", got, err, flags|immutable)
	}
}

func TestMknodMakesTheDeviceThatStatReports(t *testing.T) {
	d := openTemp(t)
	for _, dev := range []uint64{unix.Mkdev(1, 3), unix.Mkdev(259, 200_000)} {
		err := vfs.Mknod(d, "device", fs.ModeDevice|0o600, dev)
		if errors.Is(err, fs.ErrPermission) {
			t.Skip(err)
		}
		mustDo(t, err)
		var st unix.Stat_t
		mustDo(t, unix.Fstatat(d.(*dir).fd, "device", &st, unix.AT_SYMLINK_NOFOLLOW), d.Remove("device", nil))
		if uint64(st.Rdev) != dev {
			t.Errorf("device %#x, want %#x", st.Rdev, dev)
		}
	}
}

// TestNodesOfSMB calls Stat on entries as if they were on an SMB volume, where the server is asked.
func TestNodesOfSMB(t *testing.T) {
	d := openTemp(t)
	f, err := d.OpenFile("file", vfs.Create, 0o600)
	for _, err := range []error{err, vfs.Mkdir(d, "dir", 0o700), vfs.Symlink(d, "nowhere", "link")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	defer f.Close()
	smbDevices.add(d.(*dir).fd)
	t.Cleanup(func() { smbDevices.devices.Clear(); smbDevices.some.Store(false) })
	for _, name := range []string{"file", "dir", "link", ".", "missing"} {
		got, err := vfs.Stat(nodeOf(t, d, name))
		want, wantErr := vfs.Lstat(d, name)
		if got != want || (err == nil) != (wantErr == nil) || (err == nil) != (name != "missing") {
			t.Errorf("%s: %v, %v; want %v, %v", name, got, err, want, wantErr)
		}
	}
}
