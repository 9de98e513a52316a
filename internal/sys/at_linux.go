//go:build linux && (amd64 || arm64)

package sys

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Openat is openat(2) with O_CLOEXEC.
func Openat(dirfd int, name string, flags int, mode uint32) (int, error) {
	var buf [maxName + 1]byte
	p, err := cstring(&buf, name)
	if err != nil {
		return -1, err
	}
	flags |= unix.O_CLOEXEC
	for {
		fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(dirfd), uintptr(p), uintptr(flags), uintptr(mode), 0, 0)
		switch errno {
		case 0:
			return int(fd), nil
		case unix.EINTR:
		default:
			return -1, errno
		}
	}
}

// Lstatat is fstatat(2) with AT_SYMLINK_NOFOLLOW.
func Lstatat(dirfd int, name string, st *unix.Stat_t) error {
	return statat(dirfd, name, st, unix.AT_SYMLINK_NOFOLLOW)
}

// Statat is fstatat(2) that follows symbolic links.
func Statat(dirfd int, name string, st *unix.Stat_t) error {
	return statat(dirfd, name, st, 0)
}

func statat(dirfd int, name string, st *unix.Stat_t, flags int) error {
	var buf [maxName + 1]byte
	p, err := cstring(&buf, name)
	if err != nil {
		return err
	}
	for {
		_, _, errno := unix.Syscall6(fstatat, uintptr(dirfd), uintptr(p), uintptr(unsafe.Pointer(st)), uintptr(flags), 0, 0)
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return errno
		}
	}
}

// Unlinkat is unlinkat(2).
func Unlinkat(dirfd int, name string, flags int) error {
	var buf [maxName + 1]byte
	p, err := cstring(&buf, name)
	if err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_UNLINKAT, uintptr(dirfd), uintptr(p), uintptr(flags)); errno != 0 {
		return errno
	}
	return nil
}

// Futimens sets the access and modification time of an open file, with nanosecond resolution. The
// x/sys function for descriptors has only microsecond resolution.
func Futimens(fd int, times *[2]unix.Timespec) error {
	for {
		_, _, errno := unix.Syscall6(unix.SYS_UTIMENSAT, uintptr(fd), 0, uintptr(unsafe.Pointer(times)), 0, 0, 0)
		switch errno {
		case 0:
			return nil
		case unix.EINTR:
		default:
			return errno
		}
	}
}
