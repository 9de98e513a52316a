package sys

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// Statfs tells about the file system of fd. A network is also one that answers
// through a process of its own, so that an operation may take a round trip.
func Statfs(fd int) (vfs.Volume, error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return vfs.Volume{}, err
	}
	return magicVolume(uint32(st.Type)), nil
}
