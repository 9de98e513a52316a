package attrs

import (
	"errors"
	"io/fs"
	"slices"
	"sync"

	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// Inherited holds what is known about the attributes that entries made in a directory get automatically. It is
// determined when first needed, and shared by all workers that make entries in the directory.
type Inherited struct {
	Made       bool   // the run made the directory, so it knows whether it has a default ACL
	DefaultACL bool   // whether it has one; valid if Made is true
	GID        uint32 // of the directory

	checked    sync.Once
	defaultACL bool

	readACL sync.Once
	perm    fs.FileMode // the permissions that the default ACL leaves to new entries; all if it cannot be read

	mu   sync.Mutex          // guards the fields below
	made *vfs.Attr           // owner and group; nil: unknown
	mask metadata.CreateMask // how the modes of new files change
}

// HasDefaultACL reports whether dir, the directory, has a default ACL, in which case the permissions of what is
// created in it must be set again. dir is nil if a dry run has no such directory.
func (i *Inherited) HasDefaultACL(dir vfs.Dir) bool {
	i.checked.Do(func() {
		i.defaultACL = i.DefaultACL
		if dir != nil && !i.Made {
			i.defaultACL = dir.HasDefaultACL()
		}
	})
	return i.defaultACL
}

// umask returns the permissions that the default ACL of dir takes away from new entries.
func (i *Inherited) umask(dir vfs.Dir) fs.FileMode {
	i.readACL.Do(func() {
		i.perm = fs.ModePerm
		n, err := dir.Node(".")
		if err != nil {
			return
		}
		defer vfs.CloseUnwritten(n)
		if value, err := n.Xattr(metadata.PosixDefaultACL); err == nil {
			i.perm = metadata.InheritedPerm(value)
		}
	})
	return fs.ModePerm &^ i.perm
}

// known returns what is known so far about files made in the directory.
func (i *Inherited) known() (made *vfs.Attr, mask metadata.CreateMask) {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.made, i.mask
}

// Owner returns the owner and group that files made in the directory get automatically, if already known.
func (i *Inherited) Owner() (uid, gid uint32, known bool) {
	made, _ := i.known()
	if made == nil {
		return 0, 0, false
	}
	return made.UID, made.GID, true
}

// learn records the attributes of a file that was made with the mode perm.
func (i *Inherited) learn(perm fs.FileMode, attr vfs.Attr) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.made = &attr
	i.mask.Learn(perm, attr.Mode)
}

// Adjust changes the attributes of an entry of the source to those that its copy in dir, a directory of the destination,
// should have. If new files get default permissions, a default ACL replaces the umask. A new directory inherits the
// default ACL of its parent.
func (p *Policy) Adjust(attr *vfs.Attr, dir vfs.Dir, i *Inherited) {
	if !p.Keep.NoPerms || dir == nil || !i.HasDefaultACL(dir) {
		p.Keep.Adjust(attr)
		return
	}
	k := p.Keep
	k.Umask = i.umask(dir)
	k.Adjust(attr)
}

// FirstMode returns the mode to make a file with for the directory dir in the directory in, which is dir or stands in for it.
func (s *Setter) FirstMode(dir, in vfs.Dir, i *Inherited, o *Desired) fs.FileMode {
	made, _ := i.known()
	return plan.FirstFileMode(o.Want.Mode, plan.Access{
		ACL:         slices.ContainsFunc(o.Want.Xattrs, s.isACL) || s.Keep.ACLs && in == dir && i.HasDefaultACL(dir),
		ChangeOwner: plan.ChangesOwner(s.Keep, s.User, o.Want.Attr, made, vfs.Attr{GID: i.GID}),
		SetXattrs:   len(o.Want.Xattrs) > 0 && !s.User.Privileged(),
	})
}

// isACL reports whether an extended attribute of the source is an ACL that says more than the mode.
func (p *Policy) isACL(x metadata.Xattr) bool {
	return p.Source.Xattr(x.Name)&metadata.IsACL != 0 && !x.Trivial
}

// WorkMode returns the mode that a new directory has until everything in it is done. The directory is a copy of the
// entry e of src, whose wanted attributes are attr.
func (p *Policy) WorkMode(v Volumes, src vfs.Dir, e vfs.Entry, attr vfs.Attr) fs.FileMode {
	acls := p.Keep.ACLs && !p.ignoreACLs(v)
	return plan.FirstDirMode(attr.Mode, plan.Access{
		ACL:         acls,
		ChangeOwner: p.Keep.Owner || p.Keep.Group,
	}, acls && p.hasACL(src, e))
}

// hasACL reports whether an entry of the source has an ACL that says more than the mode. It returns true if
// that cannot be determined.
func (p *Policy) hasACL(in vfs.Dir, e vfs.Entry) bool {
	n, err := p.node(in, e)
	if err != nil || n == nil {
		return err != nil
	}
	defer vfs.CloseUnwritten(n)
	var s metadata.State
	err = p.Source.Read(n, metadata.Keep{ACLs: true}, &s, func(report.Attr, error) {})
	return err != nil && !errors.Is(err, errors.ErrUnsupported) || slices.ContainsFunc(s.Xattrs, p.isACL)
}
