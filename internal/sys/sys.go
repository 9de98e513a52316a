// Package sys wraps system calls that os and x/sys do not offer, or only with
// an allocation for each name.
//
// On Linux, names are passed to the kernel from a buffer on the stack, and listings
// are parsed in place. Every call goes through the scheduler's entry points: a
// raw system call would stall other goroutines whenever a file system is slow.
// Elsewhere the functions are thin wrappers of x/sys. Functions that x/sys lacks on macOS are called in
// the C library by the same means as its own, and those that it lacks on FreeBSD by system call number.
//
// Calls that are interrupted by a signal are repeated.
package sys

import (
	"golang.org/x/sys/unix"
)

// IgnoringEINTR repeats a call while it returns EINTR. The signals that the Go runtime sends to its own
// threads also interrupt calls to slow file systems.
func IgnoringEINTR(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// IgnoringEINTR2 is IgnoringEINTR for a call that also returns a value.
func IgnoringEINTR2[T any](call func() (T, error)) (T, error) {
	for {
		if v, err := call(); err != unix.EINTR {
			return v, err
		}
	}
}

// Pread makes one call of pread(2), which may read less than p.
func Pread(fd int, p []byte, off int64) (int, error) {
	for {
		if n, err := unix.Pread(fd, p, off); err != unix.EINTR {
			return n, err
		}
	}
}

// Pwrite makes one call of pwrite(2), which may write less than p.
func Pwrite(fd int, p []byte, off int64) (int, error) {
	for {
		if n, err := unix.Pwrite(fd, p, off); err != unix.EINTR {
			return n, err
		}
	}
}

// Fstat is fstat(2).
func Fstat(fd int, st *unix.Stat_t) error {
	for { // a closure would move st to the heap
		if err := unix.Fstat(fd, st); err != unix.EINTR {
			return err
		}
	}
}

// Readlinkat returns the target of a symbolic link, however long it is.
func Readlinkat(dirfd int, name string) (string, error) {
	for size := 256; ; size *= 4 {
		buf := make([]byte, size)
		n, err := IgnoringEINTR2(func() (int, error) { return unix.Readlinkat(dirfd, name, buf) })
		if err != nil {
			return "", err
		}
		if n < size {
			return string(buf[:n]), nil
		}
	}
}
