package metadata

import (
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A Class is a kind of operation. A [Profile] says in which order those of
// different classes are done.
type Class uint8

// The classes.
const (
	Unlock    Class = iota // take away flags that forbid what follows
	Free                   // take away an ACL that denies what follows
	Grant                  // let the owner write, for the sake of what follows
	Xattrs                 // extended attributes that depend on the mode
	Owner                  // owner and group
	Mode                   // permission, set-id and sticky bits
	ACLs                   // access control lists
	LateXattr              // extended attributes that a change of owner or mode would take away
	Times                  // of access and modification
	Btime                  // creation time
	Rename                 // no operation: here an entry gets its name
	Flags                  // which may lock the entry
)

// An Op changes one attribute of an entry.
type Op struct {
	Class Class
	Diff  report.Diff // what it makes up for; nothing if it only restores what another operation spoils
	Attr  report.Attr // what is not kept if it fails
	Lost  report.Attr // what is known to be impossible to keep: no Diff counts it
	Never bool        // it is not worth trying, and is here only for Lost

	Mode         fs.FileMode // of Grant and Mode
	UID, GID     int         // of Owner; -1 leaves one as it is
	Atime, Mtime time.Time   // of Times; a zero time leaves one as it is
	Btime        time.Time
	Flags        uint32 // of Unlock and Flags
	Xattr        Xattr  // of extended attributes and ACLs
	Remove       bool   // the attribute

	locked    uint32 // those of Flags by which the entry was locked before
	onlySetID bool   // Mode adds set-id bits and changes no other
	modest    uint32 // Flags without those of root, for where root may not set them
	dos       uint32 // Flags without those that DOS lacks, for volumes that refuse all for the sake of one
	quiet     bool   // if it is not permitted, that is not reported
}

// A Settable can be given the attributes that every entry has: a [vfs.File], a
// [vfs.Node], or an [Entry].
type Settable interface {
	Stat() (vfs.Attr, error)
	Chown(uid, gid int) error
	Chmod(mode fs.FileMode) error
	Chtimes(atime, mtime time.Time) error
}

// An Entry is one of an open directory, with the attributes that every entry has.
type Entry struct {
	Dir  vfs.Dir
	Name string
}

// Stat returns the attributes of the entry.
func (e Entry) Stat() (vfs.Attr, error) { return e.Dir.Lstat(e.Name) }

// Chown sets its owner and group, but for those that are -1.
func (e Entry) Chown(uid, gid int) error { return e.Dir.Lchown(e.Name, uid, gid) }

// Chmod sets its mode.
func (e Entry) Chmod(mode fs.FileMode) error { return e.Dir.Chmod(e.Name, mode) }

// Chtimes sets its times, but for those that are zero.
func (e Entry) Chtimes(atime, mtime time.Time) error { return e.Dir.Chtimes(e.Name, atime, mtime) }

// Do carries out the operation. An attribute that is Long is taken from the
// entry src. If only a part of it could be done, Attr is what is left. For a quiet operation it is
// no error that it was not permitted; its Diff is cleared, or each run would
// claim to have made up for it.
func (op *Op) Do(on Settable, src vfs.Node) error {
	err := op.do(on, src)
	if op.quiet && errors.Is(err, fs.ErrPermission) {
		op.Diff = 0
		return nil
	}
	return err
}

func (op *Op) do(on Settable, src vfs.Node) error {
	switch op.Class {
	case Owner:
		return op.chown(on)
	case Grant, Mode:
		return on.Chmod(op.Mode)
	case Times:
		return on.Chtimes(op.Atime, op.Mtime)
	case Rename:
		return nil
	}
	n, ok := on.(vfs.Node)
	if !ok {
		return errors.ErrUnsupported
	}
	switch {
	case op.Class == Btime:
		return n.SetBtime(op.Btime)
	case op.Class == Unlock:
		return n.SetFlags(op.Flags)
	case op.Class == Flags:
		return op.setFlags(n)
	case op.Remove:
		return ignoreAbsent(n.RemoveXattr(op.Xattr.Name))
	case op.Xattr.Long:
		return copyLongXattr(n, src, op.Xattr.Name)
	}
	return n.SetXattr(op.Xattr.Name, op.Xattr.Value)
}

// chown changes the group alone where changing both is not allowed: ordinary users
// may give files to groups they are in.
func (op *Op) chown(on Settable) error {
	err := on.Chown(op.UID, op.GID)
	if err != nil && op.UID >= 0 && op.GID >= 0 && on.Chown(-1, op.GID) == nil {
		op.Attr &^= report.Group
	}
	return err
}

// setFlags does without those of root where not even root may set them: at a raised
// securelevel(7), or in a container. FAT and SMB on macOS refuse all flags with EINVAL if they
// lack one of them (msdosfs_vnops.c:553, smbfs_vnops.c:5983), so there it does without the others.
func (op *Op) setFlags(n vfs.Node) error {
	err := n.SetFlags(op.Flags)
	// Even if the second try succeeds, not all have been kept.
	switch {
	case errors.Is(err, fs.ErrPermission) && op.modest != op.Flags:
		_ = n.SetFlags(op.modest)
	case errors.Is(err, syscall.EINVAL) && op.dos != op.Flags:
		_ = n.SetFlags(op.dos)
	}
	return err
}

// ignoreAbsent takes what is gone for removed.
func ignoreAbsent(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// WithholdSetID takes the set-id bits out of an operation that follows a failed change of
// owner: they would give the rights of somebody else.
func (op *Op) WithholdSetID() {
	if op.Class != Mode || op.Never || op.Mode&setID == 0 {
		return
	}
	op.Mode &^= setID
	op.Lost |= report.Mode
	if op.onlySetID {
		op.Diff, op.Never = 0, true
	}
}

// WithholdLocks takes the flags out of an operation that would lock an entry which was not locked.
func (p *Profile) WithholdLocks(op *Op) {
	if op.Class != Flags {
		return
	}
	withheld := p.LockFlags &^ op.locked
	op.Flags &^= withheld
	op.modest &^= withheld
	op.dos &^= withheld
}

// SetsID reports whether an operation sets a set-id bit.
func (op *Op) SetsID() bool { return op.Class == Mode && !op.Never && op.Mode&setID != 0 }

// RemovesACL reports whether an operation takes an ACL away.
func (op *Op) RemovesACL() bool {
	return op.Remove && !op.Never && (op.Class == ACLs || op.Class == Free)
}

// Cut parts operations into those that are done before an entry gets its final name,
// and those that are done afterwards.
func Cut(ops []Op) (before, after []Op) {
	for i := range ops {
		if ops[i].Class == Rename {
			return ops[:i], ops[i+1:]
		}
	}
	return ops, nil
}

// Lacks returns the differences that operations cannot make up for.
func Lacks(ops []Op) (d report.Diff) {
	for i := range ops {
		d |= (ops[i].Lost &^ report.Times).Diff()
	}
	return d
}
