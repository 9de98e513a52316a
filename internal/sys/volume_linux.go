package sys

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// Statfs describes the file system of fd. A FUSE file system counts as a network file system, because an
// operation may take a round trip.
func Statfs(fd int) (vfs.Volume, error) {
	v, _, err := StatfsWithMagic(fd)
	return v, err
}

// StatfsWithMagic is Statfs that also returns the magic number of the file system. On NFS, each call takes a round trip.
func StatfsWithMagic(fd int) (v vfs.Volume, magic uint32, err error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return vfs.Volume{}, 0, err
	}
	v = magicVolume(uint32(st.Type))
	v.Space = spaceOf(&st)
	return v, uint32(st.Type), nil
}
