package sys

import "golang.org/x/sys/unix"

// Fdatasync passes the contents of a file to the disk with a barrier: the disk writes nothing that comes
// later before it has written them. On file systems without such a barrier it does what fsync(2) does.
func Fdatasync(fd int) error {
	const barrier = 85 // F_BARRIERFSYNC of sys/fcntl.h
	err := IgnoringEINTR(func() error {
		_, err := unix.FcntlInt(uintptr(fd), barrier, 0)
		return err
	})
	if err == unix.ENOTSUP || err == unix.EINVAL || err == unix.ENOTTY {
		err = IgnoringEINTR(func() error { return unix.Fsync(fd) })
	}
	return err
}
