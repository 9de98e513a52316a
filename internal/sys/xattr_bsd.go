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

// grow calls get for a length, and then for so many bytes. It tries again if the value
// has grown meanwhile, but not for ever.
func grow(get func(p []byte) (int, error)) (value []byte, err error) {
	for range 4 {
		var n int
		if n, err = IgnoringEINTR2(func() (int, error) { return get(nil) }); err != nil {
			return nil, err
		}
		value = make([]byte, n+1) // the one is never filled, unless there are more
		n, err = IgnoringEINTR2(func() (int, error) { return get(value) })
		if err == nil && n < len(value) {
			return value[:n], nil
		}
		if err != nil && err != unix.ERANGE {
			return nil, err
		}
	}
	return nil, unix.ERANGE
}
