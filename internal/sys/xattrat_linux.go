package sys

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/sys/unix"
)

// xattrArgs is struct xattr_args of linux/xattr.h, where the pointer is a 64-bit number. It is a Go pointer
// here, because the buffer may move with the stack.
type xattrArgs struct {
	value unsafe.Pointer
	size  uint32
	flags uint32
}

// wide reports whether pointers have 64 bits, as xattrArgs requires.
const wide = unsafe.Sizeof(uintptr(0)) == 8

// hasXattrat reports whether the system calls for attributes relative to a directory are available. The
// seccomp filters of containers refuse unknown calls with ENOSYS or EPERM, and EPERM could also be about an
// attribute. Hence each call is tried once with unknown flags: the kernel itself returns EINVAL before it
// looks at anything else.
func hasXattrat() bool {
	xattrat.once.Do(func() { xattrat.available = probeXattrat() })
	return xattrat.available
}

var xattrat struct {
	once      sync.Once
	available bool
}

func probeXattrat() bool {
	for _, trap := range []uintptr{unix.SYS_SETXATTRAT, unix.SYS_GETXATTRAT, unix.SYS_LISTXATTRAT, unix.SYS_REMOVEXATTRAT} {
		if _, _, errno := unix.Syscall6(trap, 0, 0, math.MaxUint32, 0, 0, 0); errno != unix.EINVAL {
			return false
		}
	}
	return wide
}

func listxattrat(dirfd int, name string, buf []byte) (int, error) {
	var nameBuf [maxName + 1]byte
	p, err := cstring(&nameBuf, name)
	if err != nil {
		return 0, err
	}
	for {
		n, _, errno := unix.Syscall6(unix.SYS_LISTXATTRAT, uintptr(dirfd), uintptr(p), unix.AT_SYMLINK_NOFOLLOW,
			uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)), 0)
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}

func getxattrat(dirfd int, name, attr string, buf []byte) (int, error) {
	return valueCall(unix.SYS_GETXATTRAT, dirfd, name, attr, buf)
}

func setxattrat(dirfd int, name, attr string, value []byte) error {
	_, err := valueCall(unix.SYS_SETXATTRAT, dirfd, name, attr, value)
	return err
}

// removexattrat also passes a value, which the kernel ignores.
func removexattrat(dirfd int, name, attr string) error {
	_, err := valueCall(unix.SYS_REMOVEXATTRAT, dirfd, name, attr, nil)
	return err
}

// valueCall makes one of the calls that take xattrArgs.
func valueCall(trap uintptr, dirfd int, name, attr string, value []byte) (int, error) {
	var nameBuf, attrBuf [maxName + 1]byte
	p, err := cstring(&nameBuf, name)
	if err != nil {
		return 0, err
	}
	a, err := cstring(&attrBuf, attr)
	if err != nil {
		return 0, err
	}
	// The kernel refuses values of more than 64 KiB, so a truncated size is refused, too.
	args := xattrArgs{
		value: unsafe.Pointer(unsafe.SliceData(value)),
		size:  uint32(min(len(value), math.MaxInt32)),
	}
	for {
		n, _, errno := unix.Syscall6(trap, uintptr(dirfd), uintptr(p), unix.AT_SYMLINK_NOFOLLOW,
			uintptr(a), uintptr(unsafe.Pointer(&args)), unsafe.Sizeof(args))
		switch errno {
		case 0:
			return int(n), nil
		case unix.EINTR:
		default:
			return 0, errno
		}
	}
}

// maxName is the longest name, in bytes, that is passed without allocating.
const maxName = 255

// cstring returns name with a NUL at its end, in buf if it fits.
func cstring(buf *[maxName + 1]byte, name string) (unsafe.Pointer, error) {
	if strings.IndexByte(name, 0) >= 0 {
		return nil, unix.EINVAL
	}
	if len(name) <= maxName {
		copy(buf[:], name) // buf is zero beyond
		return unsafe.Pointer(buf), nil
	}
	return unsafe.Pointer(unsafe.StringData(name + "\x00")), nil
}

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
