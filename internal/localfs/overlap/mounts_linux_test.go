package overlap

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
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
	if err := errors.Join(os.MkdirAll(filepath.Join(inner, "c"), 0o755), os.Mkdir(shown, 0o755)); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount(inner, shown, "", unix.MS_BIND, ""); err != nil {
		t.Skipf("mount --bind: %v", err)
	}
	defer unix.Unmount(shown, unix.MNT_DETACH)

	_, got, err := Inside(filepath.Join(shown, "c"), filepath.Join(top, "a"))
	if err != nil || !got {
		t.Errorf("Inside = %v, %v, want true", got, err)
	}
}

func TestBelow(t *testing.T) {
	const mountinfo = `22 1 8:1 / / rw - ext4 /dev/sda1 rw
23 22 8:2 / /mnt/old rw shared:5 - nfs4 filer:/vol/old rw
24 23 8:3 / /mnt/old/a\040b rw - xfs /dev/sdb rw
25 24 8:4 / /mnt/old/a\040b/c rw - xfs /dev/sdc rw
26 24 8:5 / /mnt/old/a\040b/c rw - xfs /dev/sdd rw
27 23 8:6 / /mnt/old/export rw - nfs4 filer:/vol/old/export rw
28 23 8:7 / /mnt/old/other rw - nfs4 filer:/vol/other rw
29 23 8:8 / /mnt/old/auto rw - autofs systemd-1 rw
30 29 8:9 / /mnt/old/auto/x rw - nfs4 filer:/x rw
31 22 8:9 / /mnt/older rw - ext4 /dev/sde rw
garbage
`
	for path, want := range map[string]string{
		"/mnt/old":     "a b, a b/c, other",
		"/mnt/old/a b": "c",
		"/mnt/older":   "",
		"/mnt":         "old, old/a b, old/a b/c, old/other, older",
	} {
		if got := strings.Join(below(mountinfo, path), ", "); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	if points := below("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n23 22 8:2 / /mnt rw - ext4 /dev/sdb rw\n", "/"); len(points) != 1 || points[0] != "mnt" {
		t.Errorf("below the root: %q", points)
	}
}
