//go:build linux

package localfs

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
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

// TestInsideThroughBindMount mounts a subdirectory elsewhere, and asks whether
// what is below that is inside the directory above.
func TestInsideThroughBindMount(t *testing.T) {
	top := t.TempDir()
	inner, shown := filepath.Join(top, "a", "b"), filepath.Join(top, "shown")
	mustDo(t, os.MkdirAll(filepath.Join(inner, "c"), 0o755), os.Mkdir(shown, 0o755))
	if err := unix.Mount(inner, shown, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("mount --bind: %v", err)
	}
	defer unix.Unmount(shown, unix.MNT_DETACH)

	got, err := Inside(filepath.Join(shown, "c"), filepath.Join(top, "a"))
	if err != nil || !got {
		t.Errorf("Inside = %v, %v, want true", got, err)
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
	if d.(*dir).Masked() {
		t.Error("a plain directory is masked")
	}
	if err := unix.Setxattr(top, "system.posix_acl_default", acl, 0); err != nil {
		t.Skipf("set a default ACL: %v", err)
	}
	if !d.(*dir).Masked() {
		t.Error("a directory with a default ACL is not masked")
	}
}

// TestListingIsParsedInPlace compares the parser with the kernel's own view of a directory.
func TestListingIsParsedInPlace(t *testing.T) {
	fd, err := sys.Openat(unix.AT_FDCWD, "/proc/self", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(fd)
	buf := make([]byte, 64<<10)
	n, err := sys.Getdents(fd, buf)
	if err != nil {
		t.Fatal(err)
	}
	_, wantCount, wantNames := unix.ParseDirent(buf[:n], -1, nil)
	var names []string
	for rest := buf[:n]; ; {
		d, next, ok := sys.NextDirent(rest)
		if !ok {
			break
		}
		rest = next
		if !bytes.Equal(d.Name, []byte(".")) && !bytes.Equal(d.Name, []byte("..")) {
			names = append(names, string(d.Name))
		}
	}
	if len(names) != wantCount {
		t.Fatalf("%d names, x/sys finds %d", len(names), wantCount)
	}
	for i := range names {
		if names[i] != wantNames[i] {
			t.Errorf("name %d is %q, x/sys finds %q", i, names[i], wantNames[i])
		}
	}
}

func FuzzNextDirent(f *testing.F) {
	f.Add([]byte{})
	f.Add(bytes.Repeat([]byte{24, 0}, 40))
	f.Fuzz(func(_ *testing.T, buf []byte) {
		for {
			d, rest, ok := sys.NextDirent(buf)
			if !ok {
				return
			}
			if len(rest) >= len(buf) {
				panic("no progress")
			}
			_ = len(d.Name)
			buf = rest
		}
	})
}
