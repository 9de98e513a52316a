package sys

import (
	"strings"

	"golang.org/x/sys/unix"
)

// ResourceFork is the only extended attribute that can be read and written in parts, and that may be too long
// for memory.
const ResourceFork = "com.apple.ResourceFork"

// Flistxattr returns the names of the extended attributes of an open file. ACLs are
// not among them.
func Flistxattr(fd int) ([]string, error) {
	return xattrNames(func(p []byte) (int, error) { return unix.Flistxattr(fd, p) })
}

// ListxattrAt is Flistxattr for an entry by name. It does not follow a symbolic link.
func ListxattrAt(dirfd int, name string) (names []string, err error) {
	err = inDir(dirfd, func() (err error) {
		names, err = xattrNames(func(p []byte) (int, error) { return unix.Llistxattr(name, p) })
		return err
	})
	return names, err
}

func xattrNames(list func(p []byte) (int, error)) ([]string, error) {
	all, err := grow(list)
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range strings.SplitSeq(string(all), "\x00") {
		if name != "" {
			names = append(names, name)
		}
	}
	return names, nil
}

// Fsetxattr sets an extended attribute of an open file. A resource fork that is longer than value keeps its
// contents beyond the new end.
func Fsetxattr(fd int, name string, value []byte) error {
	if name == ResourceFork {
		if err := Fremovexattr(fd, name); err != nil && err != unix.ENOATTR {
			return err
		}
	}
	return IgnoringEINTR(func() error { return unix.Fsetxattr(fd, name, value, 0) })
}
