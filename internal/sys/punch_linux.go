package sys

import "golang.org/x/sys/unix"

// PunchHole frees the blocks of n bytes at off, which then read as zeros, and leaves
// the length of the file as it is.
func PunchHole(fd int, off, n int64) error {
	return IgnoringEINTR(func() error {
		return unix.Fallocate(fd, unix.FALLOC_FL_PUNCH_HOLE|unix.FALLOC_FL_KEEP_SIZE, off, n)
	})
}
