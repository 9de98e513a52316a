package metadata

import (
	"bytes"
	"cmp"
	"slices"

	"psync/internal/report"
)

// compareXattrs plans the operations that make the extended attributes of both sides equal: first the removals,
// and then the attributes that are new or have another value. Attributes that are unknown in the source are
// left alone.
func (pl *planner) compareXattrs() {
	src, dst := pl.src.Xattrs, pl.dst.Xattrs
	for i := range dst {
		x := &dst[i]
		if !x.Trivial && (find(src, x.Name) == nil || pl.hides(x.Name)) && !pl.protects(x.Name) {
			pl.addXattr(Op{Remove: true, Xattr: Xattr{Name: x.Name}, Diff: report.DiffXattr})
		}
	}
	for i := range src {
		x := src[i]
		there := find(dst, x.Name)
		if pl.hides(x.Name) || x.Unread || x.Trivial && (there == nil || there.Trivial) {
			continue
		}
		x.Value = pl.fit(x)
		if there == nil || !pl.sameXattr(x, *there) {
			pl.addXattr(Op{Xattr: x, Diff: report.DiffXattr})
		} else if pl.hasOwner && !pl.owner.Never && pl.Xattr(x.Name)&Late != 0 {
			pl.addXattr(Op{Xattr: x}) // the change of owner removes capabilities
		}
	}
}

// hides reports whether rules leave out an attribute of the source.
func (pl *planner) hides(name string) bool {
	rules := pl.keep.XattrRules
	return rules != nil && pl.Xattr(name)&IsACL == 0 && rules.HidesXattr(name)
}

// protects reports whether rules keep an attribute of the destination from being removed.
func (pl *planner) protects(name string) bool {
	rules := pl.keep.XattrRules
	return rules != nil && pl.Xattr(name)&IsACL == 0 && rules.ProtectsXattr(name)
}

func find(xattrs []Xattr, name string) *Xattr {
	i, ok := slices.BinarySearchFunc(xattrs, name, func(x Xattr, name string) int { return cmp.Compare(x.Name, name) })
	if !ok {
		return nil
	}
	return &xattrs[i]
}

// sameXattr reports whether two values of an attribute have the same meaning, or will have it when the mode is
// set.
func (pl *planner) sameXattr(a, b Xattr) bool {
	b.Value = pl.fit(b)
	return a.Long == b.Long && !b.Unread && bytes.Equal(pl.canonical(a), pl.canonical(b))
}

// fit returns the value that an attribute has under the wanted mode. Where an ACL contains the mode, the ACL
// would otherwise undo the wanted mode.
func (pl *planner) fit(x Xattr) []byte { return pl.FitACL(x.Name, x.Value, pl.mode.Mode) }

// canonical returns a value that is equal for all values with the same meaning.
func (p *Profile) canonical(x Xattr) []byte {
	if p.CanonicalACL != nil && p.Xattr(x.Name)&IsACL != 0 {
		return p.CanonicalACL(x.Value)
	}
	return x.Value
}

// isForeign reports whether an attribute of another system, which copies it there, has no counterpart on this one.
func isForeign(there, here Fate) bool {
	return there&Copies != 0 && (here&Copies == 0 || there&IsACL != here&IsACL)
}

// addXattr adds the operation on an attribute to its class, if the attribute has to change.
func (pl *planner) addXattr(op Op) {
	fate := pl.Xattr(op.Xattr.Name)
	op.Attr = fate.attr()
	switch from := op.Xattr.Fate; {
	case isForeign(from, fate):
		if from&Quiet == 0 && !slices.ContainsFunc(pl.early, func(op Op) bool { return op.Foreign && op.Lost == from.attr() }) {
			pl.early = append(pl.early, Op{Class: Xattrs, Lost: from.attr(), Never: true, Foreign: true})
		}
		return
	case fate&Copies == 0, op.Remove && fate&Deletes == 0, !pl.keep.keeps(fate), pl.src.Unknown&op.Attr != 0:
		return
	}
	op.Quiet = fate&Quiet != 0
	if op.Diff != 0 {
		op.Diff = op.Attr.Diff()
	}
	if op.Remove && fate&IsACL != 0 && pl.at.Ignored&report.ACLs != 0 {
		op.Lost, op.Never, op.Attr, op.Diff = op.Attr, true, 0, 0
	}
	if fate&RootOnly != 0 && !pl.at.User.Privileged() {
		if op.Quiet {
			return
		}
		op.Lost, op.Never, op.Attr, op.Diff = op.Attr, true, 0, 0
	}
	switch {
	case fate&IsACL != 0:
		op.Class = ACLs
		pl.acls = append(pl.acls, op)
	case fate&Late != 0:
		op.Class = LateXattr
		pl.late = append(pl.late, op)
	default:
		op.Class = Xattrs
		pl.early = append(pl.early, op)
	}
}
