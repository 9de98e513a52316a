//go:build unix

package sys

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestNamesOfAnyLength hands names to the kernel that do and do not fit the
// buffer on the stack.
func TestNamesOfAnyLength(t *testing.T) {
	fd, err := Openat(unix.AT_FDCWD, t.TempDir(), unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	for _, tt := range []struct {
		name string
		want error
	}{
		{"f", nil},
		{strings.Repeat("n", 255), nil},
		{strings.Repeat("n", 256), unix.ENAMETOOLONG},
		{strings.Repeat("n", 1000), unix.ENAMETOOLONG},
		{"a\x00b", unix.EINVAL},
	} {
		file, err := Openat(fd, tt.name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL, 0o600)
		if err != tt.want {
			t.Errorf("Openat of %d bytes: %v, want %v", len(tt.name), err, tt.want)
		}
		if err == nil {
			unix.Close(file)
		}
		var st unix.Stat_t
		if err := Lstatat(fd, tt.name, &st); err != tt.want {
			t.Errorf("Lstatat of %d bytes: %v, want %v", len(tt.name), err, tt.want)
		}
		if err := Statat(fd, tt.name, &st); err != tt.want {
			t.Errorf("Statat of %d bytes: %v, want %v", len(tt.name), err, tt.want)
		}
		if err := Unlinkat(fd, tt.name, 0); err != tt.want {
			t.Errorf("Unlinkat of %d bytes: %v, want %v", len(tt.name), err, tt.want)
		}
	}
}

func TestOnlyStatatFollows(t *testing.T) {
	fd, err := Openat(unix.AT_FDCWD, t.TempDir(), unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	if err := unix.Symlinkat(".", fd, "link"); err != nil {
		t.Fatal(err)
	}
	var st unix.Stat_t
	if err := Lstatat(fd, "link", &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFLNK {
		t.Errorf("Lstatat: mode %o, %v; want a symbolic link", st.Mode, err)
	}
	if err := Statat(fd, "link", &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR {
		t.Errorf("Statat: mode %o, %v; want a directory", st.Mode, err)
	}
}

func TestFilesAreClosedOnExec(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	fd, err := Openat(unix.AT_FDCWD, path, unix.O_WRONLY|unix.O_CREAT, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	if err != nil || flags&unix.FD_CLOEXEC == 0 {
		t.Errorf("flags %#x, %v", flags, err)
	}
}
