package sys

import "golang.org/x/sys/unix"

// Fdatasync waits until the contents of a file are on the disk.
func Fdatasync(fd int) error {
	return IgnoringEINTR(func() error { return unix.Fsync(fd) })
}
