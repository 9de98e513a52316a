//go:build unix && !(linux && (amd64 || arm64))

package sys

import "golang.org/x/sys/unix"

// Openat is openat(2) with O_CLOEXEC.
func Openat(dirfd int, name string, flags int, mode uint32) (int, error) {
	return IgnoringEINTR2(func() (int, error) { return unix.Openat(dirfd, name, flags|unix.O_CLOEXEC, mode) })
}

// Lstatat is fstatat(2) with AT_SYMLINK_NOFOLLOW.
func Lstatat(dirfd int, name string, st *unix.Stat_t) error {
	return IgnoringEINTR(func() error { return unix.Fstatat(dirfd, name, st, unix.AT_SYMLINK_NOFOLLOW) })
}

// Statat is fstatat(2) that follows symbolic links.
func Statat(dirfd int, name string, st *unix.Stat_t) error {
	return IgnoringEINTR(func() error { return unix.Fstatat(dirfd, name, st, 0) })
}

// Unlinkat is unlinkat(2).
func Unlinkat(dirfd int, name string, flags int) error { return unix.Unlinkat(dirfd, name, flags) }
