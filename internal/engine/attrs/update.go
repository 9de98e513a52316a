package attrs

import (
	"errors"
	"slices"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// An Update changes an entry of the destination to its desired attributes. It is valid until its Setter is used for
// another entry.
type Update struct {
	at   metadata.Entry
	node vfs.Node // the entry, or nil
	now  *metadata.State
	o    *Desired
	ops  []metadata.Op
}

// Observe begins an Update of the entry e of a directory, which has the attributes attr. The caller next calls PlanUpdate or PlanDir, and
// calls Close when it no longer needs the Update.
func (s *Setter) Observe(v Volumes, in vfs.Dir, e vfs.Entry, attr vfs.Attr) (u Update, notes Notes) {
	s.now = metadata.State{Attr: attr}
	u = Update{at: metadata.Entry{Dir: in, Name: e.Name}, now: &s.now}
	u.node, notes = s.observeEntry(v, onDest, in, e, u.now)
	if !attr.Mode.IsDir() {
		s.Lifter.addLifted(u.now)
	}
	return u, notes
}

// Close closes the entry.
func (u *Update) Close() { closeNode(u.node) }

// PlanUpdate plans the operations that give an entry of the destination its desired attributes.
func (s *Setter) PlanUpdate(v Volumes, u *Update, o *Desired) {
	u.o, u.ops = o, s.plan(v, s.Keep, o, u.now, false, false)
}

// A DirState says what a run has done to a directory of the destination.
type DirState struct {
	Lifted      *Lifted // what was lifted from it; may be nil
	SetTimes    bool    // its times must be set, whatever they are now
	ForgetMtime bool    // it must not get the source's modification time, so that the next run looks into it
}

// PlanDir is PlanUpdate for a directory.
func (s *Setter) PlanDir(v Volumes, u *Update, o *Desired, d DirState) {
	d.Lifted.AddTo(u.now)
	k := s.Keep
	k.Mtime = k.Mtime && !d.ForgetMtime
	u.o, u.ops = o, s.plan(v, k, o, u.now, d.SetTimes, d.Lifted.Any())
}

// IsEmpty reports whether there are no operations.
func (u *Update) IsEmpty() bool { return len(u.ops) == 0 }

// GrantsPrivileges reports whether a file will get set-id bits or capabilities.
func (u *Update) GrantsPrivileges() bool { return metadata.GrantsPrivileges(u.ops, u.now) }

// Ops returns the operations, which the caller must not change.
func (u *Update) Ops() []metadata.Op { return u.ops }

// Diff returns the differences that the operations correct. In a comparison it does not matter whether this user
// could correct them.
func (s *Setter) Diff(u *Update) report.Diff {
	if s.Compare {
		return metadata.Diff(u.ops) | metadata.Lacks(u.ops)
	}
	return metadata.Diff(u.ops)
}

// Foresee returns, for a dry run, notes of what the operations would be unable to do.
func (s *Setter) Foresee(v Volumes, u *Update) (notes Notes) {
	if s.Compare {
		return nil
	}
	for i := range u.ops {
		s.noteLost(v.Dest, &u.ops[i], &notes)
	}
	return notes
}

// A Result is the outcome of changing the attributes of an entry.
type Result struct {
	Diff   report.Diff   // the differences that were corrected
	Missed report.Attr   // the attributes that were set but not kept
	Locks  []metadata.Op // operations, left to the caller, that lock an entry that may get further names
	Notes  Notes
}

// Apply carries out the operations, except for those it returns as Result.Locks.
func (s *Setter) Apply(v Volumes, u *Update) (Result, error) {
	var r outcome
	ops, locks := s.withoutLocks(u.o, u.ops)
	err := s.Lifter.whileSetting(&u.now.Attr, ops, func() error {
		return s.apply(v.Dest, u.settable(), u.o.Node, ops, &r)
	})
	if err == nil {
		s.verify(v.Dest, u.at, &u.now.Attr, u.ops, &r.notes)
	}
	return Result{Diff: metadata.Diff(u.ops), Locks: locks, Notes: r.notes}, err
}

func (u *Update) settable() vfs.Node {
	if u.node != nil {
		return u.node
	}
	return u.at
}

// Split removes operations on a directory from the Update and returns them: those that lock the directory and, if
// closes is true, those after which its owner may not be able to work in it because of the mode it would have. If
// times is true, it also removes those that set times.
func (s *Setter) Split(u *Update, closes, times bool) (later []metadata.Op) {
	closes = closes && u.o.Want.Mode.Perm()&0o700 != 0o700
	waits := func(op metadata.Op) bool {
		switch op.Class {
		case metadata.Mode:
			return closes
		case metadata.ACLs:
			return closes || !op.Remove && s.Dest.BindsOwner != nil && s.Dest.BindsOwner(op.Xattr.Value)
		case metadata.Times:
			return times
		case metadata.Flags:
			return op.Flags&s.Dest.LockFlags != 0
		}
		return false
	}
	for _, op := range u.ops {
		if waits(op) {
			later = append(later, op)
		}
	}
	if later != nil {
		u.ops = slices.DeleteFunc(u.ops, waits)
	}
	return later
}

// ApplyDir carries out operations on a directory; later are those that will be carried out when everything else is
// done. flawed says that something in the directory is incorrect.
func (s *Setter) ApplyDir(v Volumes, u *Update, later []metadata.Op, flawed bool) (Result, error) {
	r := outcome{flawed: flawed}
	err := s.apply(v.Dest, u.settable(), u.o.Node, u.ops, &r)
	missed := s.verify(v.Dest, u.at, &u.now.Attr, u.ops, &r.notes)
	result := Result{Diff: metadata.Diff(u.ops) | metadata.Diff(later), Missed: missed, Notes: r.notes}
	if r.flawed || err != nil {
		for i := range later {
			s.Dest.WithholdLocks(&later[i])
		}
	}
	return result, err
}

// Differences returns the differences, other than in contents, between an entry of the destination and its desired
// state.
func (s *Setter) Differences(v Volumes, in vfs.Dir, e vfs.Entry, there vfs.Attr, o *Desired) (diff report.Diff, notes Notes) {
	u, notes := s.Observe(v, in, e, there)
	u.Close()
	s.PlanUpdate(v, &u, o)
	if o.Want.Mode.IsRegular() && o.Want.Size != there.Size {
		diff = report.DiffSize
	}
	return diff | s.Diff(&u), notes
}

// Matches reports whether an entry, whose attributes are attr, is as desired. It returns false if that
// cannot be determined.
func (s *Setter) Matches(v Volumes, n vfs.Node, attr vfs.Attr, o *Desired) bool {
	ops, known := s.planFor(v, n, attr, o)
	return known && len(ops) == 0
}

// DiffersIn returns in what an entry, whose attributes are attr, differs from what is desired, as far as that can be determined.
func (s *Setter) DiffersIn(v Volumes, n vfs.Node, attr vfs.Attr, o *Desired) report.Diff {
	ops, _ := s.planFor(v, n, attr, o)
	diff := metadata.Diff(ops)
	if !s.Keep.Perms {
		diff &^= report.DiffPerms
	}
	return diff
}

func (s *Setter) planFor(v Volumes, n vfs.Node, attr vfs.Attr, o *Desired) (ops []metadata.Op, known bool) {
	now := metadata.State{Attr: attr}
	if s.Keep.Extended() {
		known := true
		err := s.Dest.Read(n, s.Keep, &now, func(report.Attr, error) { known = false })
		if !known || err != nil && !errors.Is(err, errors.ErrUnsupported) {
			return nil, false
		}
	}
	return s.plan(v, s.Keep, o, &now, false, false), true
}
