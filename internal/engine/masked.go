package engine

import (
	"io/fs"
	"sync"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// masked is what the default ACL of a directory of the destination does to modes, once that is known.
type masked struct {
	once sync.Once
	is   bool // there is one

	readPerm sync.Once
	perm     fs.FileMode // what it leaves of permissions; all if it cannot be read
}

// narrows reports whether the destination has a default ACL, so that the
// permissions of what is created in it must be set again.
func (d *directory) narrows() bool {
	if d.masked == nil {
		d.masked = new(masked)
	}
	d.masked.once.Do(func() {
		d.masked.is = d.task.Masked
		if m, ok := d.dst.(vfs.Masker); ok && (!d.fresh() || d.task.Path == "") {
			d.masked.is = m.Masked()
		}
	})
	return d.masked.is
}

// inheritedPerm returns the permissions that the default ACL of the destination leaves.
func (d *directory) inheritedPerm() fs.FileMode {
	d.masked.readPerm.Do(func() {
		d.masked.perm = fs.ModePerm
		nd, ok := d.dst.(vfs.NodeDir)
		if !ok {
			return
		}
		n, err := nd.Node(".")
		if err != nil {
			return
		}
		defer n.Close()
		if acl, err := n.Xattr(metadata.PosixDefaultACL); err == nil {
			d.masked.perm = metadata.InheritedPerm(acl)
		}
	})
	return d.masked.perm
}

// want changes the attributes of an entry of d, or of d itself, to those that its copy is to have. Where
// the system masks the modes of what is new, a default ACL takes the place of the umask. A new directory
// has that of the one it is in.
func (w *worker) want(d *directory, attr *vfs.Attr) {
	if !w.Keep.NoPerms || d.dst == nil || !d.narrows() {
		w.Keep.Want(attr)
		return
	}
	k := w.Keep
	k.Umask = fs.ModePerm &^ d.inheritedPerm()
	k.Want(attr)
}
