package metadata

import (
	"io/fs"
	"slices"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// A PlanContext is what a plan depends on besides the two entries.
type PlanContext struct {
	User      vfs.User
	Tolerance Tolerance
	// Ignored are those of Mode, Owner and Group that the destination takes without an
	// error, and forgets; ACLs, if it does so with the removal of one.
	Ignored report.Attr
	// DOSFlags says that the destination has no flags but [Profile.DOSFlags].
	DOSFlags bool
	// Touched says that the times of the destination must be set, whatever they
	// are now: its contents change.
	Touched bool
	// Lifted says that the locks and the ACL of the destination were taken away for the time being.
	Lifted bool
}

// Plan appends to ops what is to be done, in this order, to an entry that is like dst,
// so that it becomes like src, which [Keep.Want] has been applied to. If there is
// nothing to do, nothing is appended but what is known to be impossible, which is no
// difference: a plan has something to do if its [Diff] is not 0, or if the entry
// was touched.
func (p *Profile) Plan(ops []Op, k Keep, c PlanContext, src, dst *State) []Op {
	k = k.For(src.Mode.Type())
	liftable, binds := p.Liftable(k, c.User), k.ACLs // whatever src lacks
	// An entry that cannot have something says nothing about what its copy is to have of it.
	k.Flags = k.Flags && src.Lacks&report.Flags == 0
	k.ACLs = k.ACLs && src.Lacks&report.ACLs == 0
	k.Xattrs = k.Xattrs && src.Lacks&report.Xattrs == 0
	pl := planner{Profile: p, keep: k, at: c, src: src, dst: dst, ops: ops}
	pl.owner, pl.hasOwner = pl.chown()
	pl.mode, pl.hasMode = pl.chmod()
	if k.Xattrs || k.ACLs {
		pl.compareXattrs()
		pl.bareMode()
	}
	pl.appendAll()
	if x := pl.binding(); binds && x != nil && (c.Touched || c.Lifted || busy(pl.ops[len(ops):])) {
		pl.ops, pl.frees = ops, x
		pl.appendAll()
	}
	if pl.locked(liftable) && (c.Touched || c.Lifted || slices.ContainsFunc(pl.ops[len(ops):], needsUnlocked)) {
		pl.unlock(len(ops))
	}
	return withoutIdleRename(pl.ops, len(ops))
}

// Settled reports that a plan for two entries has nothing to do, where that can be seen without
// making one: most entries of most runs are such. src and dst are of one type.
func Settled(k Keep, src, dst *vfs.Attr) bool {
	const special = setID | fs.ModeSticky
	return !k.Extended() && !k.Atime && src.Mode == dst.Mode && src.Mode&special == 0 &&
		src.UID == dst.UID && src.GID == dst.GID && src.Mtime.Equal(dst.Mtime)
}

// binding returns the ACL of the destination if it may be in the way of a plan.
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

// locked reports whether the destination has lock flags that may be in the way of a plan, and all of them
// can be lifted.
func (pl *planner) locked(liftable uint32) bool {
	locks := pl.dst.Flags & pl.LockFlags
	return locks != 0 && locks&^liftable == 0 && pl.dst.Unknown&report.Flags == 0 && slices.Contains(pl.Order, Unlock)
}

// needsUnlocked reports whether an operation fails if the entry is locked. Flags can be changed.
func needsUnlocked(op Op) bool { return !op.Never && op.Class != Rename && op.Class != Flags }

// unlock puts before the operations of this plan, from first on, that flags are lifted, and sees to it
// that the last one sets those that stay. If the flags are not the user's to lift, what follows will fail.
func (pl *planner) unlock(first int) {
	flags := pl.dst.Flags
	pl.ops = slices.Insert(pl.ops, first, Op{Class: Unlock, Attr: report.Flags, Flags: flags &^ pl.LockFlags, quiet: true})
	last := &pl.ops[len(pl.ops)-1]
	if last.Class != Flags {
		pl.ops = append(pl.ops, Op{Class: Flags, Flags: flags, modest: flags, dos: flags})
		last = &pl.ops[len(pl.ops)-1]
	}
	last.Attr, last.Never, last.locked = report.Flags, false, flags&pl.LockFlags
}

// busy reports whether operations do anything.
func busy(ops []Op) bool {
	return slices.ContainsFunc(ops, func(op Op) bool { return !op.Never && op.Class != Rename })
}

// withoutIdleRename drops the place of the name from operations, of which those from
// first on belong to this plan, if that is all that there is to do.
func withoutIdleRename(ops []Op, first int) []Op {
	if busy(ops[first:]) {
		return ops
	}
	for i := first; i < len(ops); i++ {
		if ops[i].Class == Rename {
			return append(ops[:i], ops[i+1:]...)
		}
	}
	return ops
}

// planner is a plan in the making.
type planner struct {
	*Profile
	keep     Keep
	at       PlanContext
	src, dst *State
	ops      []Op

	owner, mode       Op
	hasOwner, hasMode bool
	mtime             time.Time // of modification, if it is planned to be set
	early, late, acls []Op      // of extended attributes
	frees             *Xattr    // an ACL of the destination that has to go for a while, or for good
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
			pl.hasMode = true // to take it back
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

// free plans to take an ACL away. If it was to stay, it is set again later.
func (pl *planner) free(acl Xattr) {
	op := Op{Class: Free, Attr: report.ACLs, Xattr: Xattr{Name: acl.Name}, Remove: true}
	for i := range pl.acls {
		if pl.acls[i].Remove { // for good
			op.Diff = report.DiffACL
			pl.acls = pl.acls[:0]
		}
	}
	if op.Diff == 0 && len(pl.acls) == 0 {
		pl.acls = append(pl.acls, Op{Class: ACLs, Attr: report.ACLs, Xattr: acl})
	}
	pl.ops = append(pl.ops, op)
}

// needsGrant reports whether the owner lacks the right to set attributes for
// which the mode counts.
func (pl *planner) needsGrant() bool {
	hasMode := pl.LinkModes || pl.dst.Mode.Type() != fs.ModeSymlink
	return len(pl.early) > 0 && !pl.at.User.Privileged() && pl.dst.Mode&0o200 == 0 && hasMode
}

// flags plans the change of flags. Those of root are lost to others.
func (pl *planner) flags() {
	if !pl.keep.Flags || (pl.src.Unknown|pl.dst.Unknown)&report.Flags != 0 {
		return
	}
	src, dst := pl.src.Flags, pl.dst.Flags
	root := pl.at.User.Privileged()
	var foreign uint32 // that the destination cannot have
	if pl.at.DOSFlags && pl.DOSFlags != 0 {
		foreign = (pl.OwnerFlags | pl.RootFlags) &^ pl.dosFlags()
		src &^= foreign
	}
	op := Op{Class: Flags, Flags: pl.NewFlags(src, dst, root), modest: pl.NewFlags(src, dst, false), locked: dst & pl.LockFlags}
	op.dos = op.Flags
	if pl.DOSFlags != 0 {
		op.dos = dst&^pl.DOSFlags | op.Flags&pl.DOSFlags
	}
	if op.Flags != dst {
		op.Attr, op.Diff = report.Flags, report.DiffFlags
	}
	if !root && (src^dst)&pl.RootFlags != 0 || pl.src.Flags&foreign != 0 {
		op.Lost = report.Flags
	}
	op.Never = op.Attr == 0
	if op.Attr|op.Lost != 0 {
		pl.ops = append(pl.ops, op)
	}
}

// dosFlags returns the flags that an entry of the type of src can have on a volume of DOS, where a
// directory is not read-only.
func (pl *planner) dosFlags() uint32 {
	if pl.src.Mode.IsDir() {
		return pl.DOSFlags &^ pl.LockFlags
	}
	return pl.DOSFlags
}

// NewFlags returns the flags to give to an entry that has the flags dst, so that it is
// like one that has src, as far as the user may set them. Others stay.
func (p *Profile) NewFlags(src, dst uint32, privileged bool) uint32 {
	mask := p.OwnerFlags
	if privileged {
		mask |= p.RootFlags
	}
	return dst&^mask | src&mask
}

// Diff returns the differences that operations make up for.
func Diff(ops []Op) (d report.Diff) {
	for i := range ops {
		d |= ops[i].Diff
	}
	return d
}
