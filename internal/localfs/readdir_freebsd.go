package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// ReadDir lists with a new descriptor, since all users of a descriptor share its position. Package os would leave out
// entries that it cannot look up.
func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	fd, err := sys.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return vfs.PathError("readdir", ".", err)
	}
	defer unix.Close(fd)
	return d.readEntries(fd, yield)
}
