package faultfs

import (
	"cmp"
	"errors"
	"io/fs"
	"time"

	"psync/internal/vfs"
)

// hookedMeta calls a hook before each of those operations of a Node that not every
// file system offers.
type hookedMeta struct {
	node vfs.Node // the File or Node within
	caps vfs.Caps
	at   place
	hook hook
}

// offer calls the hook before an operation, unless that is not offered.
func (h hookedMeta) offer(c vfs.Caps, op string) error {
	return h.hook.offer(h.caps, c, op, h.at)
}

func (h hookedMeta) SetBtime(t time.Time) error {
	return unless(h.offer(vfs.CanNode, "setbtime"), func() error { return h.node.SetBtime(t) })
}

func (h hookedMeta) Flags() (uint32, error) {
	return result(h.offer(vfs.CanNode, "flags"), h.node.Flags)
}

func (h hookedMeta) SetFlags(flags uint32) error {
	return unless(h.offer(vfs.CanNode, "setflags"), func() error { return h.node.SetFlags(flags) })
}

func (h hookedMeta) Xattrs(acls bool) ([]string, error) {
	return result(h.offer(vfs.CanNode, "xattrs"), func() ([]string, error) { return h.node.Xattrs(acls) })
}

func (h hookedMeta) Xattr(name string) ([]byte, error) {
	return result(h.offer(vfs.CanNode, "xattr"), func() ([]byte, error) { return h.node.Xattr(name) })
}

func (h hookedMeta) SetXattr(name string, value []byte) error {
	return unless(h.offer(vfs.CanNode, "setxattr"), func() error { return h.node.SetXattr(name, value) })
}

func (h hookedMeta) RemoveXattr(name string) error {
	return unless(h.offer(vfs.CanNode, "removexattr"), func() error { return h.node.RemoveXattr(name) })
}

func (h hookedMeta) XattrSize(name string) (int64, error) {
	return result(h.offer(vfs.CanLongXattr, "xattrsize"), func() (int64, error) { return h.node.XattrSize(name) })
}

func (h hookedMeta) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	return result(h.offer(vfs.CanLongXattr, "readxattr"), func() (int, error) { return h.node.ReadXattrAt(name, p, off) })
}

// WriteXattrAt writes half of p before it fails, as WriteAt does.
func (h hookedMeta) WriteXattrAt(name string, p []byte, off int64) (int, error) {
	if err := h.offer(vfs.CanLongXattr, "writexattr"); errors.Is(err, errors.ErrUnsupported) {
		return 0, err
	} else if err != nil {
		n, werr := h.node.WriteXattrAt(name, p[:len(p)/2], off)
		return n, cmp.Or(werr, err)
	}
	return h.node.WriteXattrAt(name, p, off)
}

// Stat, Chmod, Chown and Chtimes are offered by every Node.
func (h hookedMeta) Stat() (vfs.Attr, error) {
	return result(h.hook.call("stat", h.at), h.node.Stat)
}

func (h hookedMeta) Chmod(mode fs.FileMode) error {
	return unless(h.hook.call("fchmod", h.at), func() error { return h.node.Chmod(mode) })
}

func (h hookedMeta) Chown(uid, gid int) error {
	return unless(h.hook.call("fchown", h.at), func() error { return h.node.Chown(uid, gid) })
}

func (h hookedMeta) Chtimes(atime, mtime time.Time) error {
	return unless(h.hook.call("fchtimes", h.at), func() error { return h.node.Chtimes(atime, mtime) })
}

// hookedNode calls a hook before each operation of a Node.
type hookedNode struct{ hookedMeta }

func (n *hookedNode) Close() error {
	return cmp.Or(n.hook.call("nclose", n.at), n.node.Close())
}
