//go:build darwin || freebsd

package sys

import "golang.org/x/sys/unix"

// Lchmodat sets the mode of an entry. It does not follow a symbolic link.
func Lchmodat(dirfd int, name string, mode uint32) error {
	return IgnoringEINTR(func() error { return unix.Fchmodat(dirfd, name, mode, unix.AT_SYMLINK_NOFOLLOW) })
}
