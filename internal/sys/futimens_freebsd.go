package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Futimens sets access and modification time of an open file, in ns.
func Futimens(fd int, times *[2]unix.Timespec) error {
	return IgnoringEINTR(func() error {
		_, _, errno := unix.Syscall(unix.SYS_FUTIMENS, uintptr(fd), uintptr(unsafe.Pointer(times)), 0)
		return result(errno)
	})
}

// result makes an error of an errno, and none of 0.
func result(errno unix.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}
