package sys

import "golang.org/x/sys/unix"

// Preallocate allocates blocks for the first n bytes of a file without changing its
// length: a copy that is killed must not look longer than what was written.
func Preallocate(fd int, n int64) error {
	return IgnoringEINTR(func() error { return unix.Fallocate(fd, unix.FALLOC_FL_KEEP_SIZE, 0, n) })
}
