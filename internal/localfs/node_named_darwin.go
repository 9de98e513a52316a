package localfs

import (
	"errors"

	"psync/internal/sys"
	"psync/internal/vfs"
)

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
