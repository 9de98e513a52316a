//go:build darwin || freebsd

package sys

import "golang.org/x/sys/unix"

// Fgetxattr returns the value of an extended attribute of an open file.
func Fgetxattr(fd int, name string) ([]byte, error) {
	return grow(func(p []byte) (int, error) { return unix.Fgetxattr(fd, name, p) })
}

// Fremovexattr removes an extended attribute of an open file.
func Fremovexattr(fd int, name string) error {
	return IgnoringEINTR(func() error { return unix.Fremovexattr(fd, name) })
}
