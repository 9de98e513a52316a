package localfs

import (
	"errors"
	"io"
	"io/fs"
	"math"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// nodeTypes are the types of entries, other than regular files, that are opened for their
// metadata. O_SYMLINK opens a symbolic link itself.
const (
	nodeTypes = fs.ModeDir | fs.ModeSymlink
	nodeFlags = unix.O_SYMLINK
)

// ReadXattrAt implements [vfs.Node]. Only a resource fork can be read and written in parts, no other attribute.
func (f *file) ReadXattrAt(name string, p []byte, off int64) (n int, err error) {
	if err := longXattr(name, off, len(p)); err != nil {
		return 0, vfs.PathError("getxattr", f.name, err)
	}
	if len(p) == 0 {
		n, err = sys.FgetxattrAt(f.fd, name, nil, 0)
		return n, xattrError("getxattr", f.name, err)
	}
	for n < len(p) {
		m, err := sys.FgetxattrAt(f.fd, name, p[n:], uint32(off)+uint32(n))
		if err != nil {
			return n, xattrError("getxattr", f.name, err)
		}
		if m == 0 {
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

// writeXattrAt does not shorten the attribute: to replace a longer one, the caller removes it first.
func (f *file) writeXattrAt(name string, p []byte, off int64) error {
	if err := longXattr(name, off, len(p)); err != nil {
		return vfs.PathError("setxattr", f.name, err)
	}
	return xattrError("setxattr", f.name, sys.FsetxattrAt(f.fd, name, p, uint32(off)))
}

// longXattr returns an error for attributes that cannot be accessed in parts, and for positions that the
// system calls cannot represent.
func longXattr(name string, off int64, n int) error {
	switch {
	case name != sys.ResourceFork:
		return errors.ErrUnsupported
	case off < 0 || off > math.MaxUint32-int64(n):
		return unix.EINVAL
	}
	return nil
}

// node returns an entry as a Node. It is opened only if more is asked for than which extended attributes it has, because
// most have none: an open, which a share of SMB is asked for, too, is saved for each entry that is current.
func (d *dir) node(name string) (vfs.Node, error) { return &named{dir: d, name: name}, nil }

// named implements [vfs.Node] for an entry that is opened only when that is necessary.
type named struct {
	dir  *dir
	name string
	node vfs.Node // the entry, or nil if it was not opened
}

func (n *named) open() (vfs.Node, error) {
	if n.node != nil {
		return n.node, nil
	}
	node, err := n.dir.openNode(n.name)
	if err == nil {
		n.node = node
	}
	return node, err
}

// Xattrs trusts a list of names only if it is empty, or if the entry is one that is opened to read the values. If the
// entry cannot be listed by name, opening it says why.
func (n *named) Xattrs(acls bool) ([]string, error) {
	if n.node == nil {
		names, err := sys.ListxattrAt(n.dir.fd, n.name)
		if acls {
			names, err = withACLs(names, err, func() ([]string, error) { return sys.ACLsAt(n.dir.fd, n.name) })
		}
		if err == nil && (len(names) == 0 || n.opens()) || errors.Is(err, errors.ErrUnsupported) {
			return names, vfs.PathError("listxattr", n.name, err)
		}
	}
	node, err := n.open()
	if err != nil {
		return nil, err
	}
	return node.Xattrs(acls)
}

// opens reports whether the entry is of a type that is opened.
func (n *named) opens() bool {
	a, err := vfs.Lstat(n.dir, n.name)
	return err == nil && a.Mode.Type()&^nodeTypes == 0
}

func (n *named) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	node, err := n.open()
	if err != nil {
		return vfs.Attr{}, err
	}
	return node.Statx(want)
}

func (n *named) Set(changes []vfs.Change) []error {
	node, err := n.open()
	if err != nil {
		return []error{err}
	}
	return node.Set(changes)
}

func (n *named) Flags() (uint32, error) {
	a, err := vfs.Stat(n)
	return a.Flags, err
}

func (n *named) Xattr(name string) ([]byte, error) {
	node, err := n.open()
	if err != nil {
		return nil, err
	}
	return node.Xattr(name)
}

func (n *named) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	node, err := n.open()
	if err != nil {
		return 0, err
	}
	return node.ReadXattrAt(name, p, off)
}

func (n *named) Close() error {
	if n.node == nil {
		return nil
	}
	return n.node.Close()
}
