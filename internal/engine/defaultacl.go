package engine

import (
	"io/fs"
	"sync"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A defaultACL says whether a directory of the destination has a default ACL, and what that does to the
// permissions of new entries. Both are looked up when first needed.
type defaultACL struct {
	checked sync.Once
	exists  bool

	read sync.Once
	perm fs.FileMode // the permissions that it leaves to new entries; all if it cannot be read
}

// hasDefaultACL reports whether the destination of d has a default ACL, so that the permissions of what
// is created in it must be set again.
func (d *directory) hasDefaultACL() bool {
	d.defaultACL.checked.Do(func() {
		d.defaultACL.exists = d.task.DefaultACL
		if d.dst != nil && (!d.fresh() || d.task.Path == "") {
			d.defaultACL.exists = d.dst.HasDefaultACL()
		}
	})
	return d.defaultACL.exists
}

// inheritedPerm returns the permissions that the default ACL of d's destination leaves to new entries. It
// must be called after hasDefaultACL.
func (d *directory) inheritedPerm() fs.FileMode {
	d.defaultACL.read.Do(func() {
		d.defaultACL.perm = fs.ModePerm
		if d.dst == nil {
			return
		}
		n, err := d.dst.Node(".")
		if err != nil {
			return
		}
		defer n.Close()
		if acl, err := n.Xattr(metadata.PosixDefaultACL); err == nil {
			d.defaultACL.perm = metadata.InheritedPerm(acl)
		}
	})
	return d.defaultACL.perm
}

// want changes the attributes of an entry of the source, d itself or one in it, to those that its copy
// should have. Where permissions are those of new files, a default ACL takes the place of the
// umask. That of a new directory is the one of its parent, which it inherits.
func (w *worker) want(d *directory, attr *vfs.Attr) {
	if !w.Keep.NoPerms || d.dst == nil || !d.hasDefaultACL() {
		w.Keep.Want(attr)
		return
	}
	k := w.Keep
	k.Umask = fs.ModePerm &^ d.inheritedPerm()
	k.Want(attr)
}
