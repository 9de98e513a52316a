package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Futimens sets the access and modification time of an open file, with nanosecond resolution.
func Futimens(fd int, times *[2]unix.Timespec) error {
	return IgnoringEINTR(func() error {
		_, _, errno := unix.Syscall(unix.SYS_FUTIMENS, uintptr(fd), uintptr(unsafe.Pointer(times)), 0)
		return result(errno)
	})
}

// result converts an errno to an error, and 0 to nil.
func result(errno unix.Errno) error {
	if errno != 0 {
		return errno
	}
	return nil
}
