package metadata

import (
	"errors"
	"io/fs"

	"psync/internal/report"
	"psync/internal/vfs"
)

// IsTimes reports whether the operations set times.
func (c Class) IsTimes() bool { return c == Times || c == Btime }

// An Entry is a [vfs.Node] for an entry of an open directory that is not opened itself. It supports only the
// attributes that every entry has.
type Entry struct {
	vfs.UnsupportedNode
	Dir  vfs.Dir
	Name string
}

// Statx returns the attributes of the entry.
func (e Entry) Statx(vfs.StatxWant) (vfs.Attr, error) { return vfs.Lstat(e.Dir, e.Name) }

// Set changes the entry.
func (e Entry) Set(changes []vfs.Change) []error { return e.Dir.Set(e.Name, changes) }

// Close does nothing.
func (Entry) Close() error { return nil }

// Do carries out the operation. A long attribute is taken from the entry src. The error is that of [Op.Outcome].
func (op *Op) Do(on, src vfs.Node) error {
	if op.IsLong() {
		return op.Outcome(op.CopyLong(on, src))
	}
	return op.Outcome(vfs.SetOne(on, op.Change()))
}

// IsTried reports whether there is anything to carry out.
func (op *Op) IsTried() bool { return !op.Never && op.Class != Rename }

// IsLong reports whether the operation copies an attribute that is too long to be held in memory.
func (op *Op) IsLong() bool { return op.IsTried() && op.Xattr.Long && !op.Remove }

// CopyLong carries out an operation that IsLong, on an entry that is a copy of src.
func (op *Op) CopyLong(on, src vfs.Node) error { return copyLongXattr(on, src, op.Xattr.Name) }

// Proceed changes rest, the operations after op, as err, the error of op or nil, requires: after a failed change of
// the owner, set-id bits would give the rights of another user. It reports whether rest is to be tried.
func (op *Op) Proceed(err error, rest []Op) bool {
	if err == nil {
		return true
	}
	if op.Class == Owner {
		WithholdSetID(rest)
	}
	return !op.Change().Kind.IsFatal(err)
}

// WithholdSetID removes the set-id bits from operations; see [Op.WithholdSetID].
func WithholdSetID(ops []Op) {
	for i := range ops {
		ops[i].WithholdSetID()
	}
}

// Outcome returns err, the error of carrying out the operation, unless the operation is quiet and err is a lack of
// permission. It then clears Diff, because otherwise each run would claim to have removed the difference. If only a part
// of the operation has succeeded, Attr becomes the part that is left.
func (op *Op) Outcome(err error) error {
	if op.Remove && errors.Is(err, fs.ErrNotExist) {
		return nil // it is gone already
	}
	if _, groupOnly := errors.AsType[*vfs.GroupOnlyError](err); groupOnly {
		op.Attr &^= report.Group
	}
	if op.Quiet && errors.Is(err, fs.ErrPermission) {
		op.Diff = 0
		return nil
	}
	return err
}

// WithholdSetID removes the set-id bits from an operation that follows a failed change of owner: they would
// give the rights of another user.
func (op *Op) WithholdSetID() {
	if op.Class != Mode || op.Never || op.Mode&setID == 0 {
		return
	}
	op.Mode &^= setID
	op.Lost |= report.Mode
	if op.OnlySetID {
		op.Diff, op.Never = 0, true
	}
}

// WithholdLocks removes the flags from an operation that would lock an entry which was not locked.
func (p *Profile) WithholdLocks(op *Op) {
	if op.Class != Flags {
		return
	}
	withheld := p.LockFlags &^ op.Locked
	op.Flags &^= withheld
	op.UserFlags &^= withheld
	op.DOSFlags &^= withheld
}

// SetsID reports whether an operation sets a set-id bit.
func (op *Op) SetsID() bool { return op.Class == Mode && !op.Never && op.Mode&setID != 0 }

// RemovesACL reports whether an operation removes an ACL.
func (op *Op) RemovesACL() bool {
	return op.Remove && !op.Never && (op.Class == ACLs || op.Class == Free)
}

// Cut splits operations into those that are done before an entry gets its final name and those that are done
// afterwards.
func Cut(ops []Op) (before, after []Op) {
	for i := range ops {
		if ops[i].Class == Rename {
			return ops[:i], ops[i+1:]
		}
	}
	return ops, nil
}

// Lacks returns the differences that operations cannot remove.
func Lacks(ops []Op) (d report.Diff) {
	for i := range ops {
		d |= (ops[i].Lost &^ report.Times).Diff()
	}
	return d
}

// Change returns what the operation changes. It is empty if nothing is tried, or a long attribute is copied, which
// CopyLong does.
func (op *Op) Change() vfs.Change {
	if !op.IsTried() || op.IsLong() {
		return vfs.Change{}
	}
	switch op.Class {
	case Owner:
		return vfs.Change{Kind: vfs.OwnerChange, UID: op.UID, GID: op.GID}
	case Grant, Mode:
		return vfs.Change{Kind: vfs.ModeChange, Mode: op.Mode, OnlySetID: op.OnlySetID}
	case Times:
		return vfs.Change{Kind: vfs.TimesChange, Atime: op.Atime, Mtime: op.Mtime}
	case Btime:
		return vfs.Change{Kind: vfs.BtimeChange, Btime: op.Btime}
	case Unlock:
		return vfs.Change{Kind: vfs.FlagsChange, Flags: op.Flags, UserFlags: op.Flags, DOSFlags: op.Flags}
	case Flags:
		return vfs.Change{Kind: vfs.FlagsChange, Flags: op.Flags, UserFlags: op.UserFlags, DOSFlags: op.DOSFlags}
	}
	if op.Remove {
		return vfs.Change{Kind: vfs.XattrRemoval, Xattr: op.Xattr.Name}
	}
	return vfs.Change{Kind: vfs.XattrChange, Xattr: op.Xattr.Name, Value: op.Xattr.Value}
}
