package sys

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestFlagsAreOfFilesAndDirectories(t *testing.T) {
	const nodump = 0x40 // FS_NODUMP_FL
	dirfd := openTemp(t, "file")
	if err := unix.Mkdirat(dirfd, "dir", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := unix.Symlinkat("file", dirfd, "link"); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mknodat(dirfd, "fifo", unix.S_IFIFO|0o600, 0); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"link", "fifo"} {
		if _, err := Getflags(dirfd, name); err != unix.EOPNOTSUPP {
			t.Errorf("%s: %v", name, err)
		}
		if err := Setflags(dirfd, name, nodump); err != unix.EOPNOTSUPP {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"file", "dir", ""} {
		flags, err := Getflags(dirfd, name)
		if err == nil {
			err = Setflags(dirfd, name, flags|nodump)
		}
		if err == unix.ENOTTY || err == unix.EOPNOTSUPP {
			t.Skip(err)
		}
		if got, err2 := Getflags(dirfd, name); err != nil || err2 != nil || got != flags|nodump {
			t.Errorf("%q: flags %#x, %v, %v; want %#x", name, got, err, err2, flags|nodump)
		}
	}
}
