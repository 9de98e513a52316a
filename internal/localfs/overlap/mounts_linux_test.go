package overlap

import (
	"errors"
	"os"
	"path/filepath"
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
