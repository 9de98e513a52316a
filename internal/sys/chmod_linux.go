package sys

import (
	"strconv"

	"golang.org/x/sys/unix"
)

// Lchmodat sets the mode of an entry that is not a symbolic link.
func Lchmodat(dirfd int, name string, mode uint32) error {
	err := IgnoringEINTR(func() error { return unix.Fchmodat(dirfd, name, mode, unix.AT_SYMLINK_NOFOLLOW) })
	if err != unix.EOPNOTSUPP {
		return err
	}
	// Kernels before 6.6 lack fchmodat2(2). EOPNOTSUPP is also the error for a
	// symbolic link, which the descriptor distinguishes.
	fd, err := Openat(dirfd, name, unix.O_PATH|unix.O_NOFOLLOW, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := Fstat(fd, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFLNK {
		return unix.EOPNOTSUPP
	}
	return IgnoringEINTR(func() error { return unix.Chmod("/proc/self/fd/"+strconv.Itoa(fd), mode) })
}
