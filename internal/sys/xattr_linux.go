package sys

import "golang.org/x/sys/unix"

// The functions below access the extended attributes of the entry name in the directory dirfd, without
// following a symbolic link, or of the open file dirfd if name is empty. They do not open entries, which
// therefore need not be readable, and fifos do not block. On kernels before 6.13, names require /proc.

// Listxattr fills buf with the NUL-terminated names of the attributes and returns the number of bytes in use,
// or ERANGE if buf is too short.
func Listxattr(dirfd int, name string, buf []byte) (int, error) {
	switch {
	case name == "":
		for {
			if n, err := unix.Flistxattr(dirfd, buf); err != unix.EINTR {
				return n, err
			}
		}
	case hasXattrat():
		return listxattrat(dirfd, name, buf)
	}
	return procListxattr(dirfd, name, buf)
}

// Getxattr fills buf with the value of the attribute attr and returns its length, or
// ERANGE if buf is too short, or ENODATA if there is no such attribute.
func Getxattr(dirfd int, name, attr string, buf []byte) (int, error) {
	switch {
	case name == "":
		for {
			if n, err := unix.Fgetxattr(dirfd, attr, buf); err != unix.EINTR {
				return n, err
			}
		}
	case hasXattrat():
		return getxattrat(dirfd, name, attr, buf)
	}
	return procGetxattr(dirfd, name, attr, buf)
}

// Setxattr gives the attribute attr a value, whether or not it exists.
func Setxattr(dirfd int, name, attr string, value []byte) error {
	switch {
	case name == "":
		return IgnoringEINTR(func() error { return unix.Fsetxattr(dirfd, attr, value, 0) })
	case hasXattrat():
		return setxattrat(dirfd, name, attr, value)
	}
	return procSetxattr(dirfd, name, attr, value)
}

// Removexattr removes the attribute attr; it returns ENODATA if there is none.
func Removexattr(dirfd int, name, attr string) error {
	switch {
	case name == "":
		return IgnoringEINTR(func() error { return unix.Fremovexattr(dirfd, attr) })
	case hasXattrat():
		return removexattrat(dirfd, name, attr)
	}
	return procRemovexattr(dirfd, name, attr)
}
