package sys

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// Statfs describes the file system of fd. A file system that is served by a process
// counts as a network file system, because an operation may take a round trip.
func Statfs(fd int) (vfs.Volume, error) {
	v, _, err := StatfsNFS(fd)
	return v, err
}

// StatfsNFS is Statfs that also reports whether the file system is NFS. On NFS each call takes a round trip.
func StatfsNFS(fd int) (v vfs.Volume, isNFS bool, err error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return vfs.Volume{}, false, err
	}
	return magicVolume(uint32(st.Type)), st.Type == unix.NFS_SUPER_MAGIC, nil
}
