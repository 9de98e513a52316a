package localfs

import (
	"io"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

func (d *dir) ReadDir(yield func([]vfs.Entry) error) error {
	fd := d.fd
	if d.listed.Swap(true) {
		// All users of a descriptor share its position, so list with a new one.
		var err error
		if fd, err = openToRead(d.fd, ".", unix.O_DIRECTORY, d.noatime); err != nil {
			return vfs.PathError("readdir", ".", err)
		}
		defer unix.Close(fd)
	} else if _, err := unix.Seek(fd, 0, io.SeekStart); err != nil {
		// Rewinding is necessary although nothing was read yet: btrfs lists what the directory contained when it was
		// opened.
		return vfs.PathError("readdir", ".", err)
	}
	if nfsDevices.has(fd) {
		// A listing in the cache of the client brings no attributes. Once those that it holds have timed out, within a
		// minute, it would ask for them one by one. A failure costs only time.
		_ = unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED)
		list := yield
		yield = func(entries []vfs.Entry) error {
			keepAttrs(fd, entries)
			return list(entries)
		}
	}
	return d.readEntries(fd, yield)
}
