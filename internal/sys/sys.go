// Package sys wraps the system calls that os and x/sys do not offer, or not
// without allocating memory for each name.
//
// On Linux, names are handed to the kernel from a buffer on the stack, and listings
// are parsed in place. Every call goes through the scheduler's entry points: a
// raw system call would stall other goroutines whenever a file system is slow.
// Elsewhere the functions are thin forms of x/sys. What that lacks on macOS is called in
// its C library by the same means, and what it lacks on FreeBSD by number.
//
// Calls that a signal interrupts are repeated.
package sys

import (
	"golang.org/x/sys/unix"
)

// IgnoringEINTR repeats a call for as long as signals interrupt it: those that the
// Go runtime sends to its own threads interrupt calls to slow file systems, too.
func IgnoringEINTR(call func() error) error {
	for {
		if err := call(); err != unix.EINTR {
			return err
		}
	}
}

// Pread reads from fd at an offset, once.
func Pread(fd int, p []byte, off int64) (int, error) {
	for {
		if n, err := unix.Pread(fd, p, off); err != unix.EINTR {
			return n, err
		}
	}
}

// Pwrite writes to fd at an offset, once.
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
