package sys

import "golang.org/x/sys/unix"

// SyncVolume waits until everything written to the file system of fd is on the disk.
func SyncVolume(fd int) error {
	return IgnoringEINTR(func() error { return unix.Syncfs(fd) })
}
