package sys

import (
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A noProcError says why attributes cannot be accessed by name. It matches errors.ErrUnsupported.
type noProcError struct{}

func (noProcError) Error() string {
	return "extended attributes need /proc, or Linux 6.13: " + unix.EOPNOTSUPP.Error()
}

func (noProcError) Unwrap() error { return unix.EOPNOTSUPP }

const selfFD = "/proc/self/fd/"

// procPath appends to buf a path of name in the directory dirfd. The link in /proc for a descriptor leads to
// the directory itself, even if it was renamed. An absolute name, or one relative to AT_FDCWD, is appended
// unchanged.
func procPath(buf []byte, dirfd int, name string) []byte {
	if dirfd == unix.AT_FDCWD || strings.HasPrefix(name, "/") {
		return append(buf, name...)
	}
	buf = append(buf, selfFD...)
	buf = strconv.AppendInt(buf, int64(dirfd), 10)
	buf = append(buf, '/')
	return append(buf, name...)
}

func procListxattr(dirfd int, name string, buf []byte) (int, error) {
	if strings.IndexByte(name, 0) >= 0 {
		return 0, unix.EINVAL
	}
	var pathBuf [len(selfFD) + 11 + maxName + 1]byte
	path := append(procPath(pathBuf[:0], dirfd, name), 0)
	for {
		n, _, errno := unix.Syscall(unix.SYS_LLISTXATTR, uintptr(unsafe.Pointer(unsafe.SliceData(path))),
			uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, procError(dirfd, name, errno)
		}
	}
}

func procGetxattr(dirfd int, name, attr string, buf []byte) (int, error) {
	path := string(procPath(nil, dirfd, name))
	n, err := IgnoringEINTR2(func() (int, error) { return unix.Lgetxattr(path, attr, buf) })
	return n, procError(dirfd, name, err)
}

func procSetxattr(dirfd int, name, attr string, value []byte) error {
	path := string(procPath(nil, dirfd, name))
	err := IgnoringEINTR(func() error { return unix.Lsetxattr(path, attr, value, 0) })
	return procError(dirfd, name, err)
}

func procRemovexattr(dirfd int, name, attr string) error {
	path := string(procPath(nil, dirfd, name))
	err := IgnoringEINTR(func() error { return unix.Lremovexattr(path, attr) })
	return procError(dirfd, name, err)
}

// procError distinguishes a system without /proc from a missing entry.
func procError(dirfd int, name string, err error) error {
	if err != unix.ENOENT {
		return err
	}
	var st unix.Stat_t
	if Lstatat(dirfd, name, &st) == nil {
		return noProcError{}
	}
	return err
}
