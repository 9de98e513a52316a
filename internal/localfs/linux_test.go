//go:build linux

package localfs

import (
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

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
		"Lstat": func(name string) (vfs.Attr, error) { return vfs.Lstat(d, name) },
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
