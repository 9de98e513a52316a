package metadata

import (
	"io/fs"
	"slices"
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

	Foreign bool // Lost is an attribute that only another system has

	Mode         fs.FileMode // for Grant and Mode
	UID, GID     int         // for Owner; -1 leaves an ID unchanged
	Atime, Mtime time.Time   // for Times; a zero time leaves a time unchanged
	Btime        time.Time
	Flags        uint32 // for Unlock and Flags
	Xattr        Xattr  // for extended attributes and ACLs
	Remove       bool   // the attribute

	Locked    uint32 // the flags among Flags that locked the entry before
	OnlySetID bool   // Mode adds set-id bits and changes no other bits
	UserFlags uint32 // Flags without root's flags, for systems where root may not set them
	DOSFlags  uint32 // Flags without those that DOS lacks, for volumes that refuse all flags because of one
	Quiet     bool   // a lack of permission is not reported
}

// A PlanContext holds what a plan depends on in addition to the two entries.
type PlanContext struct {
	User      vfs.User
	Tolerance Tolerance
	// Ignored are the attributes among Mode, Owner and Group that the destination accepts without an error and
	// forgets, and ACLs if it does so with the removal of an ACL.
	Ignored report.Attr
	// DOSFlags says that the destination has only the flags [Profile.DOSFlags].
	DOSFlags bool
	// SetTimes says that the times of the destination must be set regardless of their current values, because
	// its contents change.
	SetTimes bool
	// Lifted says that the locks and the ACL of the destination were temporarily removed.
	Lifted bool
}

// Plan appends to ops the operations, in this order, that make an entry like dst become like src, to which
// [Keep.Adjust] has been applied. If there is nothing to do, Plan appends only operations that are known to be
// impossible, which do not count as differences: a plan has something to do if its [Diff] is not 0, or if the
// SetTimes is set.
func (p *Profile) Plan(ops []Op, k Keep, c PlanContext, src, dst *State) []Op {
	k = k.For(src.Mode.Type())
	liftable, binds := p.Liftable(k, c.User), k.ACLs // whatever src lacks
	k = k.without(src.Lacks)
	pl := planner{Profile: p, keep: k, at: c, src: src, dst: dst, ops: ops}
	pl.owner, pl.hasOwner = pl.chown()
	pl.mode, pl.hasMode = pl.chmod()
	if k.InXattrs() {
		pl.compareXattrs()
		pl.withholdMask()
	}
	pl.appendAll()
	if x := pl.binding(); binds && x != nil && (c.SetTimes || c.Lifted || busy(pl.ops[len(ops):])) {
		pl.ops, pl.frees = ops, x
		pl.appendAll()
	}
	if pl.locked(liftable) && (c.SetTimes || c.Lifted || slices.ContainsFunc(pl.ops[len(ops):], needsUnlocked)) {
		pl.unlock(len(ops))
	}
	return withoutIdleRename(pl.ops, len(ops))
}

// UpToDate reports whether it is evident without a plan that a plan for two entries would have nothing to do, as
// for most entries of most runs. src and dst are of the same type.
func UpToDate(k Keep, src, dst *vfs.Attr) bool {
	const special = setID | fs.ModeSticky
	return !k.Extended() && !k.Atime && src.Mode == dst.Mode && src.Mode&special == 0 &&
		src.UID == dst.UID && src.GID == dst.GID && src.Mtime.Equal(dst.Mtime)
}

// binding returns the ACL of the destination if the ACL may prevent operations of a plan.
func (pl *planner) binding() *Xattr {
	if pl.BindsOwner == nil || pl.at.User.Privileged() || pl.at.Ignored&report.ACLs != 0 {
		return nil
	}
	for i, x := range pl.dst.Xattrs {
		if pl.Xattr(x.Name)&IsACL != 0 && !x.Unread && pl.BindsOwner(x.Value) {
			return &pl.dst.Xattrs[i]
		}
	}
	return nil
}

// locked reports whether the destination has lock flags that may prevent operations of a plan, and all of these
// flags can be lifted.
func (pl *planner) locked(liftable uint32) bool {
	locks := pl.dst.Flags & pl.LockFlags
	return locks != 0 && locks&^liftable == 0 && pl.dst.Unknown&report.Flags == 0 && slices.Contains(pl.Order, Unlock)
}

// needsUnlocked reports whether an operation fails if the entry is locked. Flags can be changed.
func needsUnlocked(op Op) bool { return !op.Never && op.Class != Rename && op.Class != Flags }

// unlock inserts an operation that lifts flags before the operations of this plan, which start at first, and
// ensures that the last operation sets the flags that stay. If the user may not lift the flags, the following
// operations will fail.
func (pl *planner) unlock(first int) {
	flags := pl.dst.Flags
	pl.ops = slices.Insert(pl.ops, first, Op{Class: Unlock, Attr: report.Flags, Flags: flags &^ pl.LockFlags, Quiet: true})
	last := &pl.ops[len(pl.ops)-1]
	if last.Class != Flags {
		pl.ops = append(pl.ops, Op{Class: Flags, Flags: flags, UserFlags: flags, DOSFlags: flags})
		last = &pl.ops[len(pl.ops)-1]
	}
	last.Attr, last.Never, last.Locked = report.Flags, false, flags&pl.LockFlags
}

// busy reports whether operations do anything.
func busy(ops []Op) bool {
	return slices.ContainsFunc(ops, func(op Op) bool { return !op.Never && op.Class != Rename })
}

// withoutIdleRename drops Rename from the operations of this plan, which start at first, if there is nothing
// else to do.
func withoutIdleRename(ops []Op, first int) []Op {
	if busy(ops[first:]) {
		return ops
	}
	rest := slices.DeleteFunc(ops[first:], func(op Op) bool { return op.Class == Rename })
	return ops[:first+len(rest)]
}

// planner is a plan under construction.
type planner struct {
	*Profile
	keep     Keep
	at       PlanContext
	src, dst *State
	ops      []Op

	owner, mode       Op
	hasOwner, hasMode bool
	mtime             time.Time // the modification time, if the plan sets it
	early, late, acls []Op      // operations on extended attributes
	frees             *Xattr    // an ACL of the destination that has to be removed, temporarily or permanently
}

func (pl *planner) appendAll() {
	for _, class := range pl.Order {
		pl.add(class)
	}
}

func (pl *planner) add(class Class) {
	switch class {
	case Free:
		if pl.frees != nil {
			pl.free(*pl.frees)
		}
	case Grant:
		if pl.needsGrant() {
			pl.ops = append(pl.ops, Op{Class: Grant, Attr: report.Mode, Mode: pl.dst.Mode&^fs.ModeType | 0o200})
			pl.hasMode = true // to undo the change
		}
	case Xattrs:
		pl.ops = append(pl.ops, pl.early...)
	case Owner:
		if pl.hasOwner {
			pl.ops = append(pl.ops, pl.owner)
		}
	case Mode:
		if !pl.hasMode {
			pl.mode.Never = true
		}
		if pl.hasMode || pl.mode.Lost != 0 {
			pl.ops = append(pl.ops, pl.mode)
		}
	case ACLs:
		pl.ops = append(pl.ops, pl.acls...)
	case LateXattr:
		pl.ops = append(pl.ops, pl.late...)
	case Times:
		pl.times()
	case Btime:
		pl.btime()
	case Rename:
		pl.ops = append(pl.ops, Op{Class: Rename})
	case Flags:
		pl.flags()
	}
}

// free plans the removal of an ACL. If the ACL should stay, the plan sets it again later.
func (pl *planner) free(acl Xattr) {
	op := Op{Class: Free, Attr: report.ACLs, Xattr: Xattr{Name: acl.Name}, Remove: true}
	for i := range pl.acls {
		if pl.acls[i].Remove { // the removal is permanent
			op.Diff = report.DiffACL
			pl.acls = pl.acls[:0]
		}
	}
	if op.Diff == 0 && len(pl.acls) == 0 {
		pl.acls = append(pl.acls, Op{Class: ACLs, Attr: report.ACLs, Xattr: acl})
	}
	pl.ops = append(pl.ops, op)
}

// needsGrant reports whether the owner lacks the right to set attributes that depend on the mode.
func (pl *planner) needsGrant() bool {
	hasMode := pl.LinkModes || pl.dst.Mode.Type() != fs.ModeSymlink
	return len(pl.early) > 0 && !pl.at.User.Privileged() && pl.dst.Mode&0o200 == 0 && hasMode
}

// Diff returns the differences that operations remove.
func Diff(ops []Op) (d report.Diff) {
	for i := range ops {
		d |= ops[i].Diff
	}
	return d
}
