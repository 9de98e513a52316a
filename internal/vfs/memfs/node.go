package memfs

import (
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// memNode is a [vfs.Node] on a [FS].
type memNode struct {
	vfs.UnsupportedNode
	handle
}

// Node opens an entry, whatever its type, or the directory itself.
func (d *memDir) Node(name string) (vfs.Node, error) {
	var n *memNode
	err := d.onSelf("node", name, func(i *inode) error {
		n = &memNode{handle: d.openLocked(i, name)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return n, nil
}

// on runs f on the inode of the Node.
func (n *memNode) on(op string, f func(*inode) error) error {
	return n.do(op, n.name, func() error { return f(n.node) })
}

// change is on for an operation that changes the inode.
func (n *memNode) change(op string, f func(*inode) error) error {
	return n.on(op, func(i *inode) error { return n.changed(i, f(i)) })
}

func (n *memNode) Stat() (a vfs.Attr, err error) {
	err = n.on("stat", func(i *inode) error {
		a = n.kernel.attr(i)
		return nil
	})
	return a, err
}

func (n *memNode) Chmod(mode fs.FileMode) error {
	return n.change("chmod", func(i *inode) error { return n.kernel.chmod(i, mode) })
}

func (n *memNode) Chown(uid, gid int) error {
	return n.change("chown", func(i *inode) error { return n.kernel.chown(i, uid, gid) })
}

func (n *memNode) Chtimes(atime, mtime time.Time) error {
	return n.change("chtimes", func(i *inode) error { return n.kernel.chtimes(i, atime, mtime) })
}

func (n *memNode) SetBtime(t time.Time) error {
	return n.change("setbtime", func(i *inode) error { return n.kernel.setBtime(i, t) })
}

func (n *memNode) Flags() (flags uint32, err error) {
	err = n.on("flags", func(i *inode) (err error) {
		flags, err = n.kernel.flags(i)
		return err
	})
	return flags, err
}

func (n *memNode) SetFlags(flags uint32) error {
	return n.change("setflags", func(i *inode) error { return n.kernel.setFlags(i, flags) })
}

func (n *memNode) Xattrs(acls bool) (names []string, err error) {
	err = n.on("xattrs", func(i *inode) (err error) {
		names, err = n.kernel.xattrs(i, acls)
		return err
	})
	return names, err
}

func (n *memNode) Xattr(name string) (value []byte, err error) {
	err = n.on("xattr", func(i *inode) (err error) {
		value, err = n.kernel.xattr(i, name)
		return err
	})
	return value, err
}

func (n *memNode) SetXattr(name string, value []byte) error {
	return n.change("setxattr", func(i *inode) error { return n.kernel.setXattr(i, name, value) })
}

func (n *memNode) RemoveXattr(name string) error {
	return n.change("removexattr", func(i *inode) error { return n.kernel.removeXattr(i, name) })
}
