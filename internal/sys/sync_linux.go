package sys

import "golang.org/x/sys/unix"

// Fdatasync waits until the contents of a file are on the disk.
func Fdatasync(fd int) error {
	return IgnoringEINTR(func() error { return unix.Fdatasync(fd) })
}

// SyncVolume waits until everything written to the file system of fd is on the disk.
func SyncVolume(fd int) error {
	return IgnoringEINTR(func() error { return unix.Syncfs(fd) })
}
