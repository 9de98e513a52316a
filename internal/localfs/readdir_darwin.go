package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// ReadDir uses the C library: x/sys can only emulate getdirentries(2), in quadratic time, and
// package os leaves out entries that it cannot look up.
func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	fd, err := sys.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return vfs.PathError("readdir", ".", err)
	}
	stream, err := sys.NewDirStream(fd)
	if err != nil {
		unix.Close(fd)
		return vfs.PathError("readdir", ".", err)
	}
	defer stream.Close()
	return d.list(stream.Next, yield)
}
