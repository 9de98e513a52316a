package sys

import "golang.org/x/sys/unix"

// Fdatasync waits until the contents of a file are on the disk.
func Fdatasync(fd int) error {
	return IgnoringEINTR(func() error { return unix.Fsync(fd) })
}

// SyncVolume writes names and attributes to the disk, and starts writing all contents:
// sync(2) does not wait for those.
func SyncVolume(fd int) error {
	if err := unix.Sync(); err != nil {
		return err
	}
	return IgnoringEINTR(func() error { return unix.Fsync(fd) })
}
