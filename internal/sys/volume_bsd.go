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
