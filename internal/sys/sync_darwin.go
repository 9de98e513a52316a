package sys

import "golang.org/x/sys/unix"

// Fdatasync passes the contents of a file to the disk with a barrier: the disk writes them before anything
// that comes later.
func Fdatasync(fd int) error {
	const barrier = 85 // F_BARRIERFSYNC of sys/fcntl.h
	return flush(fd, barrier)
}

// SyncVolume flushes everything handed to the disk, including the disk's cache. sync(2) starts
// writing contents, but does not wait for them.
func SyncVolume(fd int) error {
	if err := unix.Sync(); err != nil {
		return err
	}
	return flush(fd, unix.F_FULLFSYNC)
}

// flush makes a request of fcntl(2), or does what fsync(2) does on file systems that lack the request.
func flush(fd, request int) error {
	_, err := IgnoringEINTR2(func() (int, error) { return unix.FcntlInt(uintptr(fd), request, 0) })
	if err == unix.ENOTSUP || err == unix.EINVAL || err == unix.ENOTTY {
		err = IgnoringEINTR(func() error { return unix.Fsync(fd) })
	}
	return err
}
