package metadata

import (
	"bytes"
	"cmp"
	"slices"

	"psync/internal/report"
)

// compareXattrs plans what makes the extended attributes of both sides equal: those
// that are to go first, and then those that are new or have another value. What is
// not known of the source is left alone.
func (pl *planner) compareXattrs() {
	src, dst := pl.src.Xattrs, pl.dst.Xattrs
	for i := range dst {
		x := &dst[i]
		if !x.Trivial && find(src, x.Name) == nil {
			pl.addXattr(Op{Remove: true, Xattr: Xattr{Name: x.Name}, Diff: report.DiffXattr})
		}
	}
	for i := range src {
		x := src[i]
		there := find(dst, x.Name)
		if x.Unread || x.Trivial && (there == nil || there.Trivial) {
			continue
		}
		x.Value = pl.fit(x)
		if there == nil || !pl.sameXattr(x, *there) {
			pl.addXattr(Op{Xattr: x, Diff: report.DiffXattr})
		} else if pl.hasOwner && !pl.owner.Never && pl.Xattr(x.Name)&Late != 0 {
			pl.addXattr(Op{Xattr: x}) // the change of owner takes capabilities away
		}
	}
}

func find(xattrs []Xattr, name string) *Xattr {
	i, ok := slices.BinarySearchFunc(xattrs, name, func(x Xattr, name string) int { return cmp.Compare(x.Name, name) })
	if !ok {
		return nil
	}
	return &xattrs[i]
}

// sameXattr reports whether two values of one attribute mean the same, or will when
// the mode is set.
func (pl *planner) sameXattr(a, b Xattr) bool {
	b.Value = pl.fit(b)
	return a.Long == b.Long && !b.Unread && bytes.Equal(pl.canonical(a), pl.canonical(b))
}

// fit returns the value of an attribute as it is when the mode is the wanted one. Where
// an ACL says what the mode does, it would otherwise undo what was wanted of that.
func (pl *planner) fit(x Xattr) []byte {
	if pl.FitACL == nil {
		return x.Value
	}
	return pl.FitACL(x.Name, x.Value, pl.mode.Mode)
}

// canonical returns a value by which two values that mean the same are equal.
func (p *Profile) canonical(x Xattr) []byte {
	if p.CanonicalACL != nil && p.Xattr(x.Name)&IsACL != 0 {
		return p.CanonicalACL(x.Value)
	}
	return x.Value
}

// addXattr adds the operation on an attribute to its class, if there is to be any.
func (pl *planner) addXattr(op Op) {
	fate := pl.Xattr(op.Xattr.Name)
	op.Attr = fate.attr()
	switch {
	case fate&Copies == 0, op.Remove && fate&Deletes == 0, !pl.keep.keeps(fate), pl.src.Unknown&op.Attr != 0:
		return
	}
	op.quiet = fate&Quiet != 0
	if fate&IsACL != 0 {
		op.Diff = report.DiffACL
	}
	if op.Remove && fate&IsACL != 0 && pl.at.Ignored&report.ACLs != 0 {
		op.Lost, op.Never, op.Attr, op.Diff = op.Attr, true, 0, 0
	}
	if fate&RootOnly != 0 && !pl.at.User.Privileged() {
		if op.quiet {
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
