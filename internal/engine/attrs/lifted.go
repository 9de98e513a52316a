package attrs

import (
	"cmp"
	"slices"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Lifted records the locks and ACLs that were removed from an entry because they prevented changing it.
// Its methods may be called on a nil *Lifted, which records nothing.
type Lifted struct {
	flags uint32 // all flags of the entry, if some of them locked it; otherwise 0
	locks uint32 // the subset of flags that locked it
	acls  []metadata.Xattr
}

// Any reports whether anything was lifted.
func (l *Lifted) Any() bool { return l != nil && (l.locks != 0 || len(l.acls) > 0) }

// Locks returns the flags that were lifted.
func (l *Lifted) Locks() uint32 {
	if l == nil {
		return 0
	}
	return l.locks
}

// Restore puts back what was lifted from an entry, the locks last. It tries everything and returns the
// errors joined.
func (l *Lifted) Restore(n vfs.Node) (err error) {
	if !l.Any() {
		return nil
	}
	for _, acl := range l.acls {
		err = vfs.JoinErrors(err, vfs.SetXattr(n, acl.Name, acl.Value))
	}
	if l.locks != 0 {
		err = vfs.JoinErrors(err, vfs.SetFlags(n, l.flags))
	}
	return err
}

// Union returns what two workers have lifted from one entry. Either may be nil.
func (l *Lifted) Union(other *Lifted) *Lifted {
	switch {
	case other == nil || other == l:
		return l
	case l == nil:
		return other
	}
	all := Lifted{l.flags | other.flags, l.locks | other.locks, slices.Clone(l.acls)}
	for _, acl := range other.acls {
		if !slices.ContainsFunc(l.acls, func(x metadata.Xattr) bool { return x.Name == acl.Name }) {
			all.acls = append(all.acls, acl)
		}
	}
	return &all
}

// AddTo adds what was lifted to s, so that s is the state that the entry had before.
func (l *Lifted) AddTo(s *metadata.State) {
	if !l.Any() {
		return
	}
	s.Flags |= l.locks
	for _, acl := range l.acls {
		i, found := slices.BinarySearchFunc(s.Xattrs, acl.Name, func(x metadata.Xattr, name string) int { return cmp.Compare(x.Name, name) })
		if !found {
			s.Xattrs = slices.Insert(s.Xattrs, i, acl)
		}
	}
}

// forget drops what operations have set anew.
func (l *Lifted) forget(ops []metadata.Op) {
	for _, op := range ops {
		switch op.Class {
		case metadata.Unlock, metadata.Flags:
			l.flags, l.locks = 0, 0
		case metadata.ACLs:
			l.acls = slices.DeleteFunc(l.acls, func(x metadata.Xattr) bool { return x.Name == op.Xattr.Name })
		}
	}
}
