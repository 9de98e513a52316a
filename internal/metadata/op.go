package metadata

import (
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A Class is a kind of operation. A [Profile] defines the order of operations of different classes.
type Class uint8

// The classes.
const (
	Unlock    Class = iota // clear flags that forbid the following operations
	Free                   // remove an ACL that denies the following operations
	Grant                  // let the owner write, as the following operations require
	Xattrs                 // extended attributes that depend on the mode
	Owner                  // owner and group
	Mode                   // permission, set-id and sticky bits
	ACLs                   // access control lists
	LateXattr              // extended attributes that a change of owner or mode would remove
	Times                  // access and modification times
	Btime                  // creation time
	Rename                 // not an operation: the point at which an entry gets its name
	Flags                  // flags, which may lock the entry
)

// An Op changes one attribute of an entry.
type Op struct {
	Class Class
	Diff  report.Diff // the difference that it removes; empty if it only restores what another operation changes
	Attr  report.Attr // the attribute that is not kept if the operation fails
	Lost  report.Attr // the attributes that are known to be impossible to keep; Diff does not include them
	Never bool        // the operation is not tried, and exists only for Lost

	Mode         fs.FileMode // for Grant and Mode
	UID, GID     int         // for Owner; -1 leaves an ID unchanged
	Atime, Mtime time.Time   // for Times; a zero time leaves a time unchanged
	Btime        time.Time
	Flags        uint32 // for Unlock and Flags
	Xattr        Xattr  // for extended attributes and ACLs
	Remove       bool   // the attribute

	Locked    uint32 // the flags among Flags that locked the entry before
	OnlySetID bool   // Mode adds set-id bits and changes no other bits
	Modest    uint32 // Flags without root's flags, for systems where root may not set them
	DOS       uint32 // Flags without those that DOS lacks, for volumes that refuse all flags because of one
	Quiet     bool   // a lack of permission is not reported
}

// An Entry is a [vfs.Node] for an entry of an open directory that is not opened itself. It supports only the
// attributes that every entry has.
type Entry struct {
	vfs.UnsupportedNode
	Dir  vfs.Dir
	Name string
}

// Stat returns the attributes of the entry.
func (e Entry) Stat() (vfs.Attr, error) { return e.Dir.Lstat(e.Name) }

// Chown sets the owner and group of the entry, except an ID that is -1.
func (e Entry) Chown(uid, gid int) error { return e.Dir.Lchown(e.Name, uid, gid) }

// Chmod sets the mode of the entry.
func (e Entry) Chmod(mode fs.FileMode) error { return e.Dir.Chmod(e.Name, mode) }

// Chtimes sets the times of the entry, except times that are zero.
func (e Entry) Chtimes(atime, mtime time.Time) error { return e.Dir.Chtimes(e.Name, atime, mtime) }

// Close does nothing.
func (Entry) Close() error { return nil }

// Do carries out the operation. An attribute that is Long is taken from the entry src. If only a part of the
// operation succeeded, Attr is the part that is left. The error is that of [Op.Outcome].
func (op *Op) Do(on, src vfs.Node) error { return op.Outcome(op.do(on, src)) }

// Outcome returns err, the error of carrying out the operation, unless the operation is quiet and err is a lack of
// permission. It then clears Diff, because otherwise each run would claim to have removed the difference.
func (op *Op) Outcome(err error) error {
	if op.Quiet && errors.Is(err, fs.ErrPermission) {
		op.Diff = 0
		return nil
	}
	return err
}

func (op *Op) do(on, src vfs.Node) error {
	switch op.Class {
	case Owner:
		return op.chown(on)
	case Grant, Mode:
		return on.Chmod(op.Mode)
	case Times:
		return on.Chtimes(op.Atime, op.Mtime)
	case Btime:
		return on.SetBtime(op.Btime)
	case Unlock:
		return on.SetFlags(op.Flags)
	case Flags:
		return op.setFlags(on)
	case Rename:
		return nil
	}
	switch {
	case op.Remove:
		return ignoreAbsent(on.RemoveXattr(op.Xattr.Name))
	case op.Xattr.Long:
		return copyLongXattr(on, src, op.Xattr.Name)
	}
	return on.SetXattr(op.Xattr.Name, op.Xattr.Value)
}

// chown changes only the group where changing both is not allowed: ordinary users may give files to groups that
// they are in.
func (op *Op) chown(on vfs.Node) error {
	err := on.Chown(op.UID, op.GID)
	if err != nil && op.UID >= 0 && op.GID >= 0 && on.Chown(-1, op.GID) == nil {
		op.Attr &^= report.Group
	}
	return err
}

// setFlags omits root's flags where not even root may set them: at a raised securelevel(7), or in a container.
// FAT and SMB on macOS refuse all flags with EINVAL if they lack one of them (msdosfs_vnops.c:553,
// smbfs_vnops.c:5983), so setFlags omits the flags that they lack.
func (op *Op) setFlags(n vfs.Node) error {
	err := n.SetFlags(op.Flags)
	// Even if the second try succeeds, not all flags have been kept.
	switch {
	case errors.Is(err, fs.ErrPermission) && op.Modest != op.Flags:
		_ = n.SetFlags(op.Modest)
	case errors.Is(err, syscall.EINVAL) && op.DOS != op.Flags:
		_ = n.SetFlags(op.DOS)
	}
	return err
}

// ignoreAbsent treats an attribute that is already gone as removed.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
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
	op.Modest &^= withheld
	op.DOS &^= withheld
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
