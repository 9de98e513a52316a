package sys

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// Mknodat makes a fifo or a device, but not a socket: only bind(2) makes sockets. It does not use mkfifoat(2) and
// mknodat(2), because they exist only since macOS 13, and a program that requires a missing function does not start.
// Instead, it sets the working directory of a thread.
func Mknodat(dirfd int, name string, mode uint32, dev uint64) error {
	if mode&unix.S_IFMT == unix.S_IFSOCK {
		return errors.ErrUnsupported
	}
	return inDir(dirfd, func() error {
		return IgnoringEINTR(func() error {
			if mode&unix.S_IFMT == unix.S_IFIFO {
				return unix.Mkfifo(name, mode&^unix.S_IFMT) // every user may do this; mknod(2) is only for root
			}
			return unix.Mknod(name, mode, int(int32(dev)))
		})
	})
}

// inDir calls f on a thread whose working directory is dirfd.
func inDir(dirfd int, f func() error) error {
	runtime.LockOSThread()
	if err := unix.PthreadFchdir(dirfd); err != nil {
		runtime.UnlockOSThread()
		return err
	}
	err := f()
	if back := unix.PthreadFchdir(-1); back != nil {
		return errors.Join(err, back) // no other goroutine may run on this thread, whose working directory is wrong
	}
	runtime.UnlockOSThread()
	return err
}
