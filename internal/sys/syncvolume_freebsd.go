package sys

import "golang.org/x/sys/unix"

// SyncVolume writes names and attributes to the disk, and starts writing all contents:
// sync(2) does not wait for those.
func SyncVolume(fd int) error {
	if err := unix.Sync(); err != nil {
		return err
	}
	return IgnoringEINTR(func() error { return unix.Fsync(fd) })
}
