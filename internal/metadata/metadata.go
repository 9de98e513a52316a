// Package metadata plans and orders changes of attributes: what to set on an
// entry so that it is like another one, and in which order, for that differs
// from system to system.
//
// What systems differ in stands in a [Profile], which is plain data. All profiles are
// compiled on all systems, so that each can be tested on any. Nothing in this
// package touches a file system but [Profile.Read] and [Op.Do], which do so
// through a [vfs.Node].
package metadata

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A Keep says which attributes of the source a copy keeps, beyond the rwx bits
// of what it makes.
type Keep struct {
	Modes        bool // rwx bits of existing directories and current files, too
	Perms        bool // all bits of all modes; set-id bits only with the owner whose rights they give
	NoPerms      bool // no modes of what exists, replaced files included; Umask takes bits from those of what is new
	Umask        fs.FileMode
	Owner, Group bool
	Mtime, Atime bool
	Btime        bool // times of birth
	Flags        bool // those of chflags(2) and chattr(1)
	ACLs, Xattrs bool
	NoXattrs     bool // the user has said so: forks that are lost are not reported

	OmitDirTimes, OmitLinkTimes bool // no times of directories, of symbolic links

	Chmod Chmod // changes the modes of the source before they count
	Chown Chown // the same for owners

	// Asked are attributes that the user named. Not to keep one of them is a
	// failure; not to keep another, which something implied, is worth a warning.
	Asked report.Attr
	// Archived are attributes that are taken for named because -a, said by root, has named them. Not to
	// keep a set-id bit, because owners are not wanted, is no failure then.
	Archived report.Attr
	// ImpliedACLs says that no flag names ACLs, so those of a server are left alone: they are for
	// accounts that it knows, and not all that is set or removed there is kept.
	ImpliedACLs bool
	// Silent says that nobody wants to know what is not kept.
	Silent bool
}

// A Chown replaces the owners of the source.
type Chown struct {
	SetUID, SetGID bool
	UID, GID       uint32
}

// For returns what is kept of entries of a type.
func (k Keep) For(t fs.FileMode) Keep {
	if t.IsDir() && k.OmitDirTimes || t == fs.ModeSymlink && k.OmitLinkTimes {
		k.Mtime, k.Atime, k.Btime = false, false, false
	}
	return k
}

// Times reports whether the time of access or of modification is kept.
func (k Keep) Times() bool { return k.Mtime || k.Atime }

// Extended reports whether anything is kept that [vfs.Attr] may not hold.
func (k Keep) Extended() bool { return k.ACLs || k.Xattrs || k.Flags || k.Btime }

// Beyond returns what is kept that [vfs.Attr] may not hold.
func (k Keep) Beyond() (attrs report.Attr) {
	if k.ACLs {
		attrs |= report.ACLs
	}
	if k.Xattrs {
		attrs |= report.Xattrs
	}
	if k.Flags {
		attrs |= report.Flags
	}
	return attrs
}

// Want changes the attributes of an entry to those that its copy is to have.
func (k *Keep) Want(attr *vfs.Attr) {
	if k.Chown.SetUID {
		attr.UID = k.Chown.UID
	}
	if k.Chown.SetGID {
		attr.GID = k.Chown.GID
	}
	if len(k.Chmod) > 0 && attr.Mode.Type() != fs.ModeSymlink {
		attr.Mode = k.Chmod.Apply(attr.Mode)
	}
	if k.NoPerms {
		attr.Mode &^= k.Umask
	}
}

// A State is what is known of an entry.
type State struct {
	vfs.Attr
	Xattrs  []Xattr     // ACLs among them, ordered by name
	Lacks   report.Attr // which of Flags, ACLs and Xattrs there cannot be
	Unknown report.Attr // which of Flags, ACLs and Xattrs could not be found out
}

// An Xattr is an extended attribute.
type Xattr struct {
	Name  string
	Value []byte // or the digest of one that is Long
	Long  bool   // it was not read into memory

	Unread  bool // it is there, but its value is not known
	Trivial bool // an ACL that says no more than the mode, which is as good as none
}

// Read completes a state by what k keeps beyond [vfs.Attr], which s has. What
// could not be read is passed to failed and marked as unknown, so that no plan takes it for
// absent. The error is that of looking for attributes at all; it matches
// [errors.ErrUnsupported] where there cannot be any, which is as good as none.
func (p *Profile) Read(n vfs.Node, k Keep, s *State, failed func(report.Attr, error)) error {
	if k.Flags && !p.StatTellsFlags && (s.Mode.IsRegular() || s.Mode.IsDir()) {
		flags, err := n.Flags()
		switch {
		case err == nil:
			s.Flags = flags
		case errors.Is(err, errors.ErrUnsupported):
			s.Lacks |= report.Flags
		default:
			s.Unknown |= report.Flags
			failed(report.Flags, err)
		}
	}
	if !k.Xattrs && !k.ACLs {
		return nil
	}
	names, err := n.Xattrs(k.ACLs)
	if err != nil {
		if errors.Is(err, errors.ErrUnsupported) {
			s.Lacks |= report.ACLs | report.Xattrs
		} else {
			s.Unknown |= report.ACLs | report.Xattrs
		}
		return err
	}
	for _, name := range names {
		fate := p.Xattr(name)
		if fate&Copies == 0 || !k.keeps(fate) {
			continue
		}
		x, err := readXattr(n, name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			x = Xattr{Name: name, Unread: true}
			failed(fate.attr(), err)
		}
		x.Trivial = fate&IsACL != 0 && p.TrivialACL != nil && p.TrivialACL(name, x.Value)
		s.Xattrs = append(s.Xattrs, x)
	}
	slices.SortFunc(s.Xattrs, func(a, b Xattr) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}
