package memfs

import (
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// Node opens an entry, whatever its type, or the directory itself.
func (d *memDir) Node(name string) (vfs.Node, error) {
	return result(&d.handle, "node", name, func() (vfs.Node, error) {
		i, err := d.entry(name)
		if err != nil {
			return nil, err
		}
		return d.kernel.named(&memNode{handle: d.another(i, name)}), nil
	})
}

// change runs f, which changes it, on the inode of the Node.
func (n *memNode) change(op string, f func(*inode) error) error {
	return n.do(op, n.name, func() error { return n.changed(n.node, f(n.node)) })
}

func (n *memNode) Stat() (vfs.Attr, error) {
	return result(&n.handle, "stat", n.name, func() (vfs.Attr, error) { return n.kernel.attr(n.node), nil })
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

func (n *memNode) Flags() (uint32, error) {
	return result(&n.handle, "flags", n.name, func() (uint32, error) { return n.kernel.flags(n.node) })
}

func (n *memNode) SetFlags(flags uint32) error {
	return n.change("setflags", func(i *inode) error { return n.kernel.setFlags(i, flags) })
}

func (n *memNode) Xattrs(acls bool) ([]string, error) {
	return result(&n.handle, "xattrs", n.name, func() ([]string, error) { return n.kernel.xattrs(n.node, acls) })
}

func (n *memNode) Xattr(name string) ([]byte, error) {
	return result(&n.handle, "xattr", n.name, func() ([]byte, error) { return n.kernel.xattr(n.node, name) })
}

func (n *memNode) SetXattr(name string, value []byte) error {
	return n.change("setxattr", func(i *inode) error { return n.kernel.setXattr(i, name, value) })
}

func (n *memNode) RemoveXattr(name string) error {
	return n.change("removexattr", func(i *inode) error { return n.kernel.removeXattr(i, name) })
}
