package sys

import "golang.org/x/sys/unix"

// SyncVolume flushes everything handed to the disk, including the disk's cache. sync(2) starts
// writing contents, but does not wait for them.
func SyncVolume(fd int) error {
	if err := unix.Sync(); err != nil {
		return err
	}
	err := IgnoringEINTR(func() error {
		_, err := unix.FcntlInt(uintptr(fd), unix.F_FULLFSYNC, 0)
		return err
	})
	if err == unix.ENOTSUP || err == unix.EINVAL || err == unix.ENOTTY {
		err = IgnoringEINTR(func() error { return unix.Fsync(fd) })
	}
	return err
}
