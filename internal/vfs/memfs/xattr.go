package memfs

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
)

// capability is the attribute that Linux drops when a file is not the same any more.
const capability = "security.capability"

// maxXattr is how long the value of an extended attribute may be on Linux.
const maxXattr = 64 << 10

// checkXattr returns why name cannot be that of an extended attribute of at most
// longest bytes.
func checkXattr(name string, longest int) error {
	switch {
	case name == "", strings.ContainsRune(name, 0):
		return syscall.EINVAL
	case len(name) > longest:
		return syscall.ENAMETOOLONG
	}
	return nil
}

// xattrNames returns the names of all extended attributes.
func (n *inode) xattrNames() []string { return slices.Sorted(maps.Keys(n.xattrs)) }

// xattr returns the value of an extended attribute.
func (n *inode) xattr(name string) ([]byte, error) {
	value, ok := n.xattrs[name]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return bytes.Clone(value), nil
}

// setXattr keeps a value that is not nil, so that an empty one is one.
func (n *inode) setXattr(name string, value []byte) {
	if n.xattrs == nil {
		n.xattrs = make(map[string][]byte)
	}
	n.xattrs[name] = append([]byte{}, value...)
}

func (n *inode) removeXattr(name string) error {
	if _, ok := n.xattrs[name]; !ok {
		return fs.ErrNotExist
	}
	delete(n.xattrs, name)
	return nil
}

// xattrs returns ACLs among the others, whoever asks: they are nothing else on Linux.
func (linux) xattrs(n *inode, _ bool) ([]string, error) { return n.xattrNames(), nil }

func (linux) xattr(n *inode, name string) ([]byte, error) {
	if err := checkXattr(name, 255); err != nil {
		return nil, err
	}
	return n.xattr(name)
}

func (linux) setXattr(n *inode, name string, value []byte) error {
	if err := checkXattr(name, 255); err != nil {
		return err
	}
	plain := n.Mode.IsRegular() || n.Mode.IsDir()
	switch {
	case len(value) > maxXattr:
		return syscall.E2BIG
	case strings.HasPrefix(name, "user.") && !plain:
		return syscall.EPERM
	case strings.HasPrefix(name, "system.posix_acl_") && n.Mode.Type() == fs.ModeSymlink:
		return errors.ErrUnsupported
	}
	n.setXattr(name, value)
	return nil
}

func (linux) removeXattr(n *inode, name string) error {
	if err := checkXattr(name, 255); err != nil {
		return err
	}
	return n.removeXattr(name)
}
