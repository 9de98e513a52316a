package sys

import (
	"math"
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
