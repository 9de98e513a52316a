// Package metadata plans and orders changes of attributes: what to set on an entry so that it becomes like
// another entry, and in which order, because the order differs between systems.
//
// A [Profile], which is plain data, holds the differences between systems. All profiles are compiled on all
// systems, so that each profile can be tested on any system. Only [Profile.Read] and [Op.Do] access a file
// system, and they do so through a [vfs.Node].
package metadata

import (
	"cmp"
	"errors"
	"io/fs"
	"slices"
	"syscall"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A Keep says which attributes of the source a copy keeps, beyond the rwx bits of new entries.
type Keep struct {
	Modes        bool // rwx bits of existing directories and current files, too
	Perms        bool // all bits of all modes; set-id bits only with the owner whose rights they give
	NoPerms      bool // modes of existing entries, including replaced files, are not kept; Umask clears bits in the modes of new entries
	Umask        fs.FileMode
	Executable   bool // with NoPerms, an existing file is executable if the source file is
	Owner, Group bool
	Mtime, Atime bool
	Btime        bool // creation times
	Flags        bool // the flags of chflags(2) and chattr(1)
	ACLs, Xattrs bool
	XattrRules   XattrRules // leave out extended attributes other than ACLs; nil: none
	NoXattrs     bool       // the user has asked not to keep xattrs: lost forks are not reported

	OmitDirTimes, OmitLinkTimes bool // do not keep times of directories, of symbolic links

	Chmod Chmod // changes to the modes of the source before they are used
	Chown Chown // changes to the owners of the source before they are used
	// Accounts maps the users and groups of the source to those of the destination; nil: to the same numbers.
	Accounts Accounts

	// Asked are the attributes that the user named. If one of them is not kept, that is a failure; if an implied
	// attribute is not kept, that is worth a warning.
	Asked report.Attr
	// Archived are the attributes that count as named because root used -a, which names them. It is then not a
	// failure if a set-id bit is not kept because owners are not wanted.
	Archived report.Attr
	// ImpliedACLs says that no flag names ACLs, so the ACLs of a server are left alone: they refer to accounts of
	// the server, and the server does not keep every change of an ACL.
	ImpliedACLs bool
	// Silent suppresses reports about attributes that are not kept.
	Silent bool
}

// XattrRules say which extended attributes take no part, by their names.
type XattrRules interface {
	HidesXattr(name string) bool    // it counts as missing in the source
	ProtectsXattr(name string) bool // it is not removed
}

// A Chown replaces the owners of the source.
type Chown struct {
	SetUID, SetGID bool
	UID, GID       uint32
}

// For returns which attributes are kept of entries of a type.
func (k Keep) For(t fs.FileMode) Keep {
	if t.IsDir() && k.OmitDirTimes || t == fs.ModeSymlink && k.OmitLinkTimes {
		k.Mtime, k.Atime, k.Btime = false, false, false
	}
	return k
}

// without leaves out attributes that an entry of the source cannot have: it does not define those of its copy.
func (k Keep) without(lacks report.Attr) Keep {
	k.Flags = k.Flags && lacks&report.Flags == 0
	k.ACLs = k.ACLs && lacks&report.ACLs == 0
	k.Xattrs = k.Xattrs && lacks&report.Xattrs == 0
	return k
}

// Times reports whether the access time or the modification time is kept.
func (k Keep) Times() bool { return k.Mtime || k.Atime }

// Basic reports whether most files need nothing but rwx bits, modification times and owners, as the source has them.
func (k Keep) Basic() bool {
	return !k.NoPerms && !k.Atime && !k.Btime && !k.Flags && len(k.Chmod) == 0 && k.Chown == Chown{} && k.Accounts == nil
}

// MustReadNew reports whether an attribute is kept whose first value in a new entry is not known before looking at it.
func (k Keep) MustReadNew() bool { return k.Btime || k.Flags }

// Extended reports whether an attribute is kept that [vfs.Attr] may not hold.
func (k Keep) Extended() bool { return k.InXattrs() || k.Flags || k.Btime }

// InXattrs reports whether an attribute is kept that systems store as an extended attribute.
func (k Keep) InXattrs() bool { return k.Xattrs || k.ACLs }

// InXattrs are these attributes.
const InXattrs = report.Xattrs | report.ACLs

// Beyond returns the kept attributes that [vfs.Attr] may not hold.
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

// Adjust changes the attributes of an entry to those that its copy should have.
func (k *Keep) Adjust(attr *vfs.Attr) {
	if k.Accounts != nil {
		attr.UID = k.Accounts(vfs.UserAccount, attr.UID)
		attr.GID = k.Accounts(vfs.GroupAccount, attr.GID)
	}
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

// A State is what is known about an entry.
type State struct {
	vfs.Attr
	Xattrs  []Xattr     // including ACLs, ordered by name
	Lacks   report.Attr // which of Flags, ACLs and Xattrs the entry cannot have
	Unknown report.Attr // which of Flags, ACLs and Xattrs could not be read
	Unkept  []string    // the names of further extended attributes that Read has found
}

// An Xattr is an extended attribute.
type Xattr struct {
	Name  string
	Value []byte // the value, or the digest of a Long value
	Long  bool   // the value was not read into memory

	Unread  bool // the attribute exists, but its value is unknown
	Trivial bool // an ACL that says no more than the mode, which is equivalent to no ACL
	Fate    Fate // on the system that the attribute was read on
}

const (
	maxHeld   = 32 << 20 // the most bytes that the attributes of one entry may take; a host could send any number
	heldXattr = 100      // the overhead of each attribute in bytes, in addition to name and value
)

// Read adds the attributes that k keeps beyond [vfs.Attr] to s. Attributes that cannot be read are passed to failed
// and marked as unknown, so that no plan considers them absent. Read returns an error if attributes cannot be
// listed at all, or are too long to be held. The error matches [errors.ErrUnsupported] if the entry cannot have
// any.
func (p *Profile) Read(n vfs.Node, k Keep, s *State, failed func(report.Attr, error)) error {
	if k.Flags && !p.StatHasFlags && (s.Mode.IsRegular() || s.Mode.IsDir()) {
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
	if !k.InXattrs() {
		return nil
	}
	names, err := n.Xattrs(k.ACLs)
	if err != nil {
		if errors.Is(err, errors.ErrUnsupported) {
			s.Lacks |= InXattrs
		} else {
			s.Unknown |= InXattrs
		}
		return err
	}
	held := 0
	for _, name := range names {
		fate := p.Xattr(name)
		if !k.keeps(fate) {
			s.Unkept = append(s.Unkept, name)
			continue
		}
		if fate&Copies == 0 {
			continue
		}
		if held > maxHeld {
			s.Xattrs, s.Unknown = nil, s.Unknown|InXattrs
			return syscall.E2BIG
		}
		x, err := readXattr(n, name)
		held += heldXattr + len(name) + len(x.Value)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			x = Xattr{Name: name, Unread: true}
			failed(fate.attr(), err)
		}
		x.Fate = fate
		x.Trivial = fate&IsACL != 0 && p.TrivialACL != nil && p.TrivialACL(name, x.Value)
		s.Xattrs = append(s.Xattrs, x)
	}
	slices.SortFunc(s.Xattrs, func(a, b Xattr) int { return cmp.Compare(a.Name, b.Name) })
	return nil
}
