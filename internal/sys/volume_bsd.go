//go:build darwin || freebsd

package sys

import (
	"time"

	"golang.org/x/sys/unix"
)

// Statfs reports of the file system of fd whether it answers over a network, and
// the smallest difference of times that it keeps, or 0 if that is not known.
func Statfs(fd int) (network bool, granularity time.Duration, err error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return false, 0, err
	}
	return st.Flags&unix.MNT_LOCAL == 0, namedVolume(unix.ByteSliceToString(st.Fstypename[:])), nil
}
