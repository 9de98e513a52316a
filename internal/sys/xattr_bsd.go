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

// grow calls get for the length of a value, and then for the value. It tries again, a limited number of
// times, if the value has grown in between.
func grow(get func(p []byte) (int, error)) (value []byte, err error) {
	for range 4 {
		var n int
		if n, err = IgnoringEINTR2(func() (int, error) { return get(nil) }); err != nil {
			return nil, err
		}
		value = make([]byte, n+1) // one more byte, to detect that the value has grown
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
