//go:build linux

package localfs

import (
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

func TestLocate(t *testing.T) {
	const mountinfo = `22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 8:2 / /home rw - ext4 /dev/sda2 rw
24 22 8:2 /me/data /mnt/bind rw - ext4 /dev/sda2 rw
25 22 0:30 / /mnt/with\040space rw - tmpfs none rw
26 22 8:3 / /mnt/bind/over rw - ext4 /dev/sda3 rw
27 22 8:4 / /home rw - ext4 /dev/sda4 rw
`
	tests := []struct{ path, volume, want string }{
		{"/etc", "8:1", "/etc"},
		{"/", "8:1", "/"},
		{"/mnt/bind", "8:2", "/me/data"},
		{"/mnt/bind/x/y", "8:2", "/me/data/x/y"},
		{"/mnt/bind/overt", "8:2", "/me/data/overt"},
		{"/mnt/bind/over/x", "8:3", "/x"},
		{"/mnt/with space/z", "0:30", "/z"},
		{"/home/me", "8:4", "/me"}, // the later mount hides the earlier one
	}
	for _, tt := range tests {
		got, ok := locate(mountinfo, tt.path)
		if want := (place{tt.volume, tt.want}); !ok || got != want {
			t.Errorf("locate(%s) = %v, %v, want %v", tt.path, got, ok, want)
		}
	}
	if p, ok := locate("garbage\n", "/etc"); ok {
		t.Errorf("locate in garbage = %v", p)
	}
}

// TestInsideThroughBindMount mounts a subdirectory elsewhere and checks that what is below the mount is inside the
// directory above the subdirectory.
func TestInsideThroughBindMount(t *testing.T) {
	top := t.TempDir()
	inner, shown := filepath.Join(top, "a", "b"), filepath.Join(top, "shown")
	mustDo(t, os.MkdirAll(filepath.Join(inner, "c"), 0o755), os.Mkdir(shown, 0o755))
	if err := unix.Mount(inner, shown, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("mount --bind: %v", err)
	}
	defer unix.Unmount(shown, unix.MNT_DETACH)

	_, got, err := Host{}.Inside(filepath.Join(shown, "c"), filepath.Join(top, "a"))
	if err != nil || !got {
		t.Errorf("Inside = %v, %v, want true", got, err)
	}
}

// TestLinkAndMoveBetweenFileSystems mounts another file system in a directory.
func TestLinkAndMoveBetweenFileSystems(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644 contents")
	top := t.TempDir()
	if err := unix.Mount("none", top, "tmpfs", 0, ""); err != nil {
		t.Skipf("mount a tmpfs: %v", err)
	}
	defer unix.Unmount(top, unix.MNT_DETACH)
	far, err := Open(top)
	mustDo(t, err)
	defer far.Close()

	wantUnsupported(t, far.Link(d, "file", "new"), unix.EXDEV)
	wantUnsupported(t, d.Rename("file", far, "new", nil), unix.EXDEV)
	if got, want := fstest.Tree(t, d)+fstest.Tree(t, far), "file 644 contents\n"; got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

func TestAttributesCostNoMemory(t *testing.T) {
	d := openTemp(t)
	fstest.Fill(t, d, "file 644\nlink -> file")
	for name, attr := range map[string]func(string) (vfs.Attr, error){
		"Lstat": d.Lstat,
		"Stat":  func(name string) (vfs.Attr, error) { return d.Statx(name, vfs.StatxFollow) },
	} {
		if n := testing.AllocsPerRun(100, func() { _, _ = attr("link") }); n != 0 {
			t.Errorf("%s allocates %v times, want none", name, n)
		}
	}
}

// TestDefaultACLIsSeen builds the attribute by hand: u::rwx,g::---,o::---.
func TestDefaultACLIsSeen(t *testing.T) {
	top := t.TempDir()
	acl := []byte{
		2, 0, 0, 0,
		1, 0, 7, 0, 0xff, 0xff, 0xff, 0xff,
		4, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
		32, 0, 0, 0, 0xff, 0xff, 0xff, 0xff,
	}
	d, err := Open(top)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if d.(*dir).HasDefaultACL() {
		t.Error("a plain directory has a default ACL")
	}
	if err := unix.Setxattr(top, "system.posix_acl_default", acl, 0); err != nil {
		t.Skipf("set a default ACL: %v", err)
	}
	if !d.(*dir).HasDefaultACL() {
		t.Error("a default ACL is not found")
	}
}
