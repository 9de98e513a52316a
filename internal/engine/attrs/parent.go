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

// A Parent is an open directory of the destination that entries are made in.
type Parent struct {
	Dir vfs.Dir // nil if a dry run has no such directory
	GID uint32
	*Inherited
}

// Inherited holds what is known about the attributes that entries made in a directory get automatically. It is
// determined when first needed, and shared by all workers that make entries in the directory.
type Inherited struct {
	Made       bool // the run made the directory, so it knows whether it has a default ACL
	DefaultACL bool // whether it has one; valid if Made is true

	checked    sync.Once
	defaultACL bool

	readACL sync.Once
	perm    fs.FileMode // the permissions that the default ACL leaves to new entries; all if it cannot be read

	mu   sync.Mutex          // guards the fields below
	made *vfs.Attr           // owner and group; nil: unknown
	mask metadata.CreateMask // how the modes of new files change
}

// HasDefaultACL reports whether the directory has a default ACL, in which case the permissions of what is created in
// it must be set again.
func (p Parent) HasDefaultACL() bool {
	p.checked.Do(func() {
		p.defaultACL = p.Inherited.DefaultACL
		if p.Dir != nil && !p.Made {
			p.defaultACL = p.Dir.HasDefaultACL()
		}
	})
	return p.defaultACL
}

// umask returns the permissions that the default ACL takes away from new entries.
func (p Parent) umask() fs.FileMode {
	p.readACL.Do(func() {
		p.perm = fs.ModePerm
		n, err := p.Dir.Node(".")
		if err != nil {
			return
		}
		defer vfs.CloseUnwritten(n)
		if value, err := n.Xattr(metadata.PosixDefaultACL); err == nil {
			p.perm = metadata.InheritedPerm(value)
		}
	})
	return fs.ModePerm &^ p.perm
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

// Want changes the attributes of an entry of the source to those that its copy, in a directory of the destination,
// should have. If new files get default permissions, a default ACL replaces the umask. A new directory inherits the
// default ACL of its parent.
func (p *Policy) Want(attr *vfs.Attr, in Parent) {
	if !p.Keep.NoPerms || in.Dir == nil || !in.HasDefaultACL() {
		p.Keep.Want(attr)
		return
	}
	k := p.Keep
	k.Umask = in.umask()
	k.Want(attr)
}

// FirstMode returns the mode to make a file with in the directory in, which is p or stands in for it.
func (s *Setter) FirstMode(p Parent, in vfs.Dir, o *Desired) fs.FileMode {
	made, _ := p.known()
	return plan.FirstFileMode(o.Want.Mode, plan.Access{
		ACL:         slices.ContainsFunc(o.Want.Xattrs, s.isACL) || s.Keep.ACLs && in == p.Dir && p.HasDefaultACL(),
		ChangeOwner: plan.ChangesOwner(s.Keep, s.User, o.Want.Attr, made, vfs.Attr{GID: p.GID}),
		SetXattrs:   len(o.Want.Xattrs) > 0 && !s.User.Privileged(),
	})
}

// isACL reports whether an extended attribute of the source is an ACL that says more than the mode.
func (p *Policy) isACL(x metadata.Xattr) bool {
	return p.Source.Xattr(x.Name)&metadata.IsACL != 0 && !x.Trivial
}

// WorkMode returns the mode that a new directory has until everything in it is done. The directory is a copy of the
// one called name in src, whose wanted attributes are attr.
func (p *Policy) WorkMode(v Volumes, src vfs.Dir, name string, attr vfs.Attr) fs.FileMode {
	acls := p.Keep.ACLs && !p.ignoreACLs(v)
	return plan.FirstDirMode(attr.Mode, plan.Access{
		ACL:         acls,
		ChangeOwner: p.Keep.Owner || p.Keep.Group,
	}, acls && p.hasACL(src, name))
}

// hasACL reports whether an entry of the source has an ACL that says more than the mode. It returns true if
// that cannot be determined.
func (p *Policy) hasACL(in vfs.Dir, name string) bool {
	n, err := p.node(in, name)
	if err != nil || n == nil {
		return err != nil
	}
	defer vfs.CloseUnwritten(n)
	var s metadata.State
	err = p.Source.Read(n, metadata.Keep{ACLs: true}, &s, func(report.Attr, error) {})
	return err != nil && !errors.Is(err, errors.ErrUnsupported) || slices.ContainsFunc(s.Xattrs, p.isACL)
}
