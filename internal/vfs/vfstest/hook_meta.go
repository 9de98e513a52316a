package vfstest

import (
	"cmp"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// hookedMeta calls a hook before each of those operations that a Node and a
// LongXattrer have and a File need not have.
type hookedMeta struct {
	able any // the File or Node within, which may have them
	name string
	hook hook
}

// call calls f on what is within, after the hook, unless that is no N.
func call[N any](h hookedMeta, op string, f func(N) error) error {
	n, ok := h.able.(N)
	if !ok {
		return unsupported(op, h.name)
	}
	if err := h.hook.call(op, h.name); err != nil {
		return err
	}
	return f(n)
}

func (h hookedMeta) SetBtime(t time.Time) error {
	return call(h, "setbtime", func(n vfs.Node) error { return n.SetBtime(t) })
}

func (h hookedMeta) Flags() (flags uint32, err error) {
	err = call(h, "flags", func(n vfs.Node) (err error) { flags, err = n.Flags(); return err })
	return flags, err
}

func (h hookedMeta) SetFlags(flags uint32) error {
	return call(h, "setflags", func(n vfs.Node) error { return n.SetFlags(flags) })
}

func (h hookedMeta) Xattrs(acls bool) (names []string, err error) {
	err = call(h, "xattrs", func(n vfs.Node) (err error) { names, err = n.Xattrs(acls); return err })
	return names, err
}

func (h hookedMeta) Xattr(name string) (value []byte, err error) {
	err = call(h, "xattr", func(n vfs.Node) (err error) { value, err = n.Xattr(name); return err })
	return value, err
}

func (h hookedMeta) SetXattr(name string, value []byte) error {
	return call(h, "setxattr", func(n vfs.Node) error { return n.SetXattr(name, value) })
}

func (h hookedMeta) RemoveXattr(name string) error {
	return call(h, "removexattr", func(n vfs.Node) error { return n.RemoveXattr(name) })
}

func (h hookedMeta) XattrSize(name string) (size int64, err error) {
	err = call(h, "xattrsize", func(l vfs.LongXattrer) (err error) { size, err = l.XattrSize(name); return err })
	return size, err
}

func (h hookedMeta) ReadXattrAt(name string, p []byte, off int64) (n int, err error) {
	err = call(h, "readxattr", func(l vfs.LongXattrer) (err error) { n, err = l.ReadXattrAt(name, p, off); return err })
	return n, err
}

// WriteXattrAt writes half of p before it fails, as WriteAt does.
func (h hookedMeta) WriteXattrAt(name string, p []byte, off int64) (int, error) {
	l, ok := h.able.(vfs.LongXattrer)
	if !ok {
		return 0, unsupported("writexattr", h.name)
	}
	if err := h.hook.call("writexattr", h.name); err != nil {
		n, werr := l.WriteXattrAt(name, p[:len(p)/2], off)
		return n, cmp.Or(werr, err)
	}
	return l.WriteXattrAt(name, p, off)
}

// hookedNode calls a hook before each operation of a Node. It offers
// [vfs.LongXattrer] as hookedFile does.
type hookedNode struct {
	inner vfs.Node
	hookedMeta
}

func (n *hookedNode) Stat() (a vfs.Attr, err error) {
	err = call(n.hookedMeta, "stat", func(n vfs.Node) (err error) { a, err = n.Stat(); return err })
	return a, err
}

func (n *hookedNode) Chmod(mode fs.FileMode) error {
	return call(n.hookedMeta, "fchmod", func(n vfs.Node) error { return n.Chmod(mode) })
}

func (n *hookedNode) Chown(uid, gid int) error {
	return call(n.hookedMeta, "fchown", func(n vfs.Node) error { return n.Chown(uid, gid) })
}

func (n *hookedNode) Chtimes(atime, mtime time.Time) error {
	return call(n.hookedMeta, "fchtimes", func(n vfs.Node) error { return n.Chtimes(atime, mtime) })
}

func (n *hookedNode) Close() error {
	return cmp.Or(n.hook.call("nclose", n.name), n.inner.Close())
}
