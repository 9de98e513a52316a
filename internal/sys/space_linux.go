package sys

import (
	"cmp"
	"errors"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// Space returns how much room the file system of fd has. A file system without blocks, such as ramfs, cannot tell.
func Space(fd int) (vfs.Space, error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return vfs.Space{}, err
	}
	if st.Blocks == 0 {
		return vfs.Space{}, errors.ErrUnsupported
	}
	block := max(cmp.Or(int64(st.Frsize), int64(st.Bsize)), 1)
	return newSpace(int64(st.Bavail), block, st.Files, int64(st.Ffree)), nil
}
