//go:build darwin || freebsd

package sys

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// Statfs describes the file system of fd.
func Statfs(fd int) (vfs.Volume, error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return vfs.Volume{}, err
	}
	v := namedVolume(unix.ByteSliceToString(st.Fstypename[:]))
	v.Network = st.Flags&unix.MNT_LOCAL == 0
	v.Space = spaceOf(&st)
	inspect(&v, fd, &st)
	return v, nil
}

// spaceOf returns the free space of a file system. It is unknown for one without blocks, such as ramfs.
func spaceOf(st *unix.Statfs_t) *vfs.Space {
	if st.Blocks == 0 {
		return nil
	}
	return newSpace(int64(st.Bavail), max(int64(st.Bsize), 1), st.Files, int64(st.Ffree))
}
