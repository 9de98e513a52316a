package memfs

import (
	"io/fs"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs/kernel"
)

// Node opens an entry, whatever its type, or the directory itself.
func (d *memDir) Node(name string) (vfs.Node, error) {
	return result(&d.handle, "node", name, func() (vfs.Node, error) {
		i, err := d.entry(name)
		if err != nil {
			return nil, err
		}
		n := &memNode{handle: d.another(i, name)}
		if k, ok := d.kernel.(*kernel.XNU); ok {
			return &macNode{n, fork{n, k}}, nil
		}
		return n, nil
	})
}

// change runs f, which changes it, on the inode of the Node.
func (n *memNode) change(op string, f func(*kernel.Inode) error) error {
	return n.do(op, n.name, func() error { return n.changed(n.node, f(n.node)) })
}

func (n *memNode) Stat() (vfs.Attr, error) {
	return result(&n.handle, "stat", n.name, func() (vfs.Attr, error) { return n.kernel.Attr(n.node), nil })
}

func (n *memNode) Chmod(mode fs.FileMode) error {
	return n.change("chmod", func(i *kernel.Inode) error { return n.kernel.Chmod(i, mode) })
}

func (n *memNode) Chown(uid, gid int) error {
	return n.change("chown", func(i *kernel.Inode) error { return n.kernel.Chown(i, uid, gid) })
}

func (n *memNode) Chtimes(atime, mtime time.Time) error {
	return n.change("chtimes", func(i *kernel.Inode) error { return n.kernel.Chtimes(i, atime, mtime) })
}

func (n *memNode) SetBtime(t time.Time) error {
	return n.change("setbtime", func(i *kernel.Inode) error { return n.kernel.SetBtime(i, t) })
}

func (n *memNode) Flags() (uint32, error) {
	return result(&n.handle, "flags", n.name, func() (uint32, error) { return n.kernel.Flags(n.node) })
}

func (n *memNode) SetFlags(flags uint32) error {
	return n.change("setflags", func(i *kernel.Inode) error { return n.kernel.SetFlags(i, flags) })
}

func (n *memNode) Xattrs(acls bool) ([]string, error) {
	return result(&n.handle, "xattrs", n.name, func() ([]string, error) { return n.kernel.Xattrs(n.node, acls) })
}

func (n *memNode) Xattr(name string) ([]byte, error) {
	return result(&n.handle, "xattr", n.name, func() ([]byte, error) { return n.kernel.Xattr(n.node, name) })
}

func (n *memNode) SetXattr(name string, value []byte) error {
	return n.change("setxattr", func(i *kernel.Inode) error { return n.kernel.SetXattr(i, name, value) })
}

func (n *memNode) RemoveXattr(name string) error {
	return n.change("removexattr", func(i *kernel.Inode) error { return n.kernel.RemoveXattr(i, name) })
}
