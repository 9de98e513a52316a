//go:build darwin || freebsd

package sys

import "golang.org/x/sys/unix"

// IsNetwork reports whether the file system of fd answers over a network.
func IsNetwork(fd int) (bool, error) {
	var st unix.Statfs_t
	if err := IgnoringEINTR(func() error { return unix.Fstatfs(fd, &st) }); err != nil {
		return false, err
	}
	return st.Flags&unix.MNT_LOCAL == 0, nil
}
