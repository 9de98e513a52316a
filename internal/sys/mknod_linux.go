package sys

import "golang.org/x/sys/unix"

// Mknodat makes a fifo, socket or device.
func Mknodat(dirfd int, name string, mode uint32, dev uint64) error {
	return IgnoringEINTR(func() error { return unix.Mknodat(dirfd, name, mode, int(dev)) })
}
