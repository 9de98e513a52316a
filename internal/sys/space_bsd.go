//go:build darwin || freebsd

package sys

import (
	"errors"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// Space returns the free space of the file system of fd. It is unknown for a file system without blocks, such as
// ramfs.
func Space(fd int) (vfs.Space, error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return vfs.Space{}, err
	}
	if st.Blocks == 0 {
		return vfs.Space{}, errors.ErrUnsupported
	}
	return newSpace(int64(st.Bavail), max(int64(st.Bsize), 1), st.Files, int64(st.Ffree)), nil
}
