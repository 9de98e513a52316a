package memfs

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"syscall"

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
		return &memNode{d.another(i, name)}, nil
	})
}

// change runs f, which changes the inode of the Node, on it.
func (n *memNode) change(op string, f func(*kernel.Inode) error) error {
	return n.do(op, n.name, func() error { return n.changed(n.node, f(n.node)) })
}

func (n *memNode) Statx(vfs.StatxWant) (vfs.Attr, error) {
	return result(&n.handle, "stat", n.name, func() (vfs.Attr, error) { return n.kernel.Attr(n.node), nil })
}

// Set implements [vfs.Node].
func (n *memNode) Set(changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		if c.Kind == vfs.XattrPiece {
			return n.writeXattrAt(c.Xattr, c.Value, c.Off)
		}
		return n.change(c.Kind.String(), func(i *kernel.Inode) error { return kernel.Set(n.kernel, i, c) })
	})
}

func (n *memNode) Flags() (uint32, error) {
	return result(&n.handle, "flags", n.name, func() (uint32, error) { return n.kernel.Flags(n.node) })
}

func (n *memNode) Xattrs(acls bool) ([]string, error) {
	return result(&n.handle, "xattrs", n.name, func() ([]string, error) { return n.kernel.Xattrs(n.node, acls) })
}

func (n *memNode) Xattr(name string) ([]byte, error) {
	return result(&n.handle, "xattr", n.name, func() ([]byte, error) {
		value, err := n.kernel.Xattr(n.node, name)
		return bytes.Clone(value), err
	})
}

// long runs f on an extended attribute that may be long, with what Xattr returns.
func (n *memNode) long(op, name string, f func(value []byte, err error) (int, error)) (int, error) {
	return result(&n.handle, op, n.name, func() (int, error) {
		if !n.kernel.MayBeLong(name) {
			return 0, errors.ErrUnsupported
		}
		return f(n.kernel.Xattr(n.node, name))
	})
}

func (n *memNode) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	if len(p) == 0 {
		return n.long("xattrsize", name, func(value []byte, err error) (int, error) { return len(value), err })
	}
	done, err := n.long("readxattr", name, func(value []byte, err error) (int, error) {
		return copy(p, value[min(off, int64(len(value))):]), err
	})
	if err == nil && done < len(p) {
		err = io.EOF
	}
	return done, err
}

// writeXattrAt leaves the bytes after p as they are: to shorten a value, remove it first.
func (n *memNode) writeXattrAt(name string, p []byte, off int64) error {
	_, err := n.long("writexattr", name, func(value []byte, err error) (int, error) {
		end := off + int64(len(p))
		switch {
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return 0, err
		case end > kernel.MaxSize:
			return 0, syscall.E2BIG
		}
		longer := make([]byte, max(end, int64(len(value))))
		copy(longer, value)
		copy(longer[off:], p)
		return 0, n.kernel.SetXattr(n.node, name, longer)
	})
	return err
}
