package faultfs

import (
	"cmp"

	"psync/internal/vfs"
)

// hookedMeta calls a hook before each operation of a Node but Close.
type hookedMeta struct {
	node vfs.Node // the File or Node within
	caps vfs.Caps
	at   place
	hook hook
}

// offer calls the hook before an operation, unless that is not offered.
func (h hookedMeta) offer(c vfs.Caps, op string) error { return h.hook.offer(h.caps, c, op, h.at) }

// Statx calls the hook by the name stat, and not for an identity.
func (h hookedMeta) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	if want == vfs.StatxID {
		return h.node.Statx(want)
	}
	return get(h.hook.call("stat", h.at), h.node.Statx, want)
}

// Set calls the hook before each change, by the names fchmod, fchown and fchtimes, or that of [vfs.ChangeKind.String].
// Half of an XattrPiece is written before it fails, as WriteAt does.
func (h hookedMeta) Set(changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		var err error
		if c.Kind <= vfs.TimesChange {
			err = h.hook.call("f"+c.Kind.String(), h.at)
		} else {
			err = h.offer(vfs.CanNode, c.Kind.String())
		}
		if err != nil && c.Kind == vfs.XattrPiece {
			return cmp.Or(vfs.WriteXattrAt(h.node, c.Xattr, c.Value[:len(c.Value)/2], c.Off), err)
		}
		return unless(err, func() error { return vfs.SetOne(h.node, *c) })
	})
}

func (h hookedMeta) Flags() (uint32, error) {
	if err := h.offer(vfs.CanNode, "flags"); err != nil {
		return 0, err
	}
	return h.node.Flags()
}

func (h hookedMeta) Xattrs(acls bool) ([]string, error) {
	return get(h.offer(vfs.CanNode, "xattrs"), h.node.Xattrs, acls)
}

func (h hookedMeta) Xattr(name string) ([]byte, error) {
	return get(h.offer(vfs.CanNode, "xattr"), h.node.Xattr, name)
}

func (h hookedMeta) ReadXattrAt(name string, p []byte, off int64) (int, error) {
	op := "readxattr"
	if len(p) == 0 {
		op = "xattrsize"
	}
	if err := h.hook.call(op, h.at); err != nil {
		return 0, err
	}
	return h.node.ReadXattrAt(name, p, off)
}

// hookedNode calls a hook before each operation of a Node.
type hookedNode struct{ hookedMeta }

func (n *hookedNode) Close() error {
	return cmp.Or(n.hook.call("nclose", n.at), n.node.Close())
}
