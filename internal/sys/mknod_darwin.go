package sys

import (
	"errors"
	"runtime"

	"golang.org/x/sys/unix"
)

// Mknodat makes a fifo or a device. Mkfifoat(2) and mknodat(2) exist since macOS 13
// only, and a program that asks the loader for a missing function does not start.
// But a thread can have a working directory of its own, which relative paths start
// at as they would at a descriptor.
func Mknodat(dirfd int, name string, mode uint32, dev uint64) error {
	return inDir(dirfd, func() error {
		return IgnoringEINTR(func() error {
			if mode&unix.S_IFMT == unix.S_IFIFO {
				return unix.Mkfifo(name, mode&^unix.S_IFMT) // for everyone; mknod(2) is root's
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
		return errors.Join(err, back) // nobody else may get a thread that is astray
	}
	runtime.UnlockOSThread()
	return err
}
