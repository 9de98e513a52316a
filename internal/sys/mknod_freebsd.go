package sys

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Mknodat makes a fifo or a device, but not a socket: only bind(2) makes sockets.
func Mknodat(dirfd int, name string, mode uint32, dev uint64) error {
	if mode&unix.S_IFMT == unix.S_IFSOCK {
		return errors.ErrUnsupported
	}
	return IgnoringEINTR(func() error { return unix.Mknodat(dirfd, name, mode, dev) })
}
