//go:build darwin || freebsd

package sys

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// spaceOf returns the free space of a file system. It is unknown for one without blocks, such as ramfs.
func spaceOf(st *unix.Statfs_t) *vfs.Space {
	if st.Blocks == 0 {
		return nil
	}
	return newSpace(int64(st.Bavail), max(int64(st.Bsize), 1), st.Files, int64(st.Ffree))
}
