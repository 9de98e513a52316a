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
	list, err := grow(func(p []byte) (int, error) { return unix.Flistxattr(fd, p) })
	if err != nil {
		return nil, err
	}
	var names []string
	for name := range strings.SplitSeq(string(list), "\x00") {
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
