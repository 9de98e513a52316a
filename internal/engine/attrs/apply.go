package attrs

import (
	"slices"

	"psync/internal/engine/volume"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Setter sets the attributes of entries. It holds buffers, so each worker has its own.
type Setter struct {
	*Policy
	Lifter  *Lifter // of the run; may be nil
	ops     []metadata.Op
	changes []vfs.Change   // of one request
	now     metadata.State // of the current entry, as the destination has it
	desired Desired        // of the current entry
}

// plan returns the operations that change an entry with the attributes now to those of o. The result is valid until
// the next call.
func (s *Setter) plan(v Volumes, k metadata.Keep, o *Desired, now *metadata.State, setTimes, lifted bool) []metadata.Op {
	c := metadata.PlanContext{
		User:      s.User,
		Tolerance: v.Tolerance,
		Ignored:   v.Dest.Ignored(),
		DOSFlags:  v.Dest != nil && v.Dest.DOSFlags,
		SetTimes:  setTimes,
		Lifted:    lifted,
	}
	s.ops = s.Dest.Plan(s.ops[:0], k, c, &o.Want, now)
	return s.ops
}

// verify checks whether ops, which succeeded, have set the attributes of an entry; see
// [volume.Volume.Verify]. It notes and returns the attributes that were not kept, and
// removes them from the Diff of ops. before holds the attributes from before ops, or is nil if they are unknown.
func (s *Setter) verify(v *volume.Volume, on metadata.Entry, before *vfs.Attr, ops []metadata.Op, notes *Notes) (missed report.Attr) {
	if v.Keeps(ops) {
		return 0
	}
	look := vfs.Node(on)
	if v.Network {
		if n, err := on.Dir.Node(on.Name); err == nil {
			defer closeNode(n)
			look = n // asks the server, whereas Lstat may show what was just set
		}
	}
	missed, ignored := v.Verify(look, before, ops)
	if missed == 0 {
		return 0
	}
	for i := range ops {
		ops[i].Diff &^= missedDiff(missed)
	}
	asked := s.Keep.Asked | s.Keep.Archived
	s.addUnkept(notes, missed&ignored, errIgnored, asked)
	s.addUnkept(notes, missed&^ignored, errAltered, asked)
	return missed
}

// missedDiff returns the differences that remain if attributes were not kept.
func missedDiff(missed report.Attr) (diff report.Diff) {
	for attr, d := range map[report.Attr]report.Diff{
		report.Owner: report.DiffOwner, report.Group: report.DiffGroup,
		report.Mode: report.DiffPerms, report.Times: report.DiffMtime,
	} {
		if missed&attr != 0 {
			diff |= d
		}
	}
	return diff
}

// withoutLocks separates ops from the operations that lock an entry which may get further names.
func (s *Setter) withoutLocks(o *Desired, ops []metadata.Op) (now, locks []metadata.Op) {
	i := slices.IndexFunc(ops, func(op metadata.Op) bool {
		return op.Class == metadata.Flags && op.Flags&s.Dest.LockFlags != 0
	})
	if i < 0 || !s.HardLinks || o.Want.Nlink < 2 {
		return ops, nil
	}
	return ops[:i], slices.Clone(ops[i:])
}

// reach returns an entry to set attributes of. The caller closes the Node if it is not nil.
func (s *Setter) reach(at metadata.Entry) (vfs.Node, vfs.Node) {
	if n, err := s.node(at.Dir, vfs.Entry{Name: at.Name}); err == nil && n != nil {
		return n, n
	}
	return at, nil
}

// ApplyDeferred carries out operations on an entry that were deferred until everything else was done.
func (s *Setter) ApplyDeferred(v *volume.Volume, at metadata.Entry, ops []metadata.Op) (Notes, error) {
	var r outcome
	on, n := s.reach(at)
	defer closeNode(n)
	err := s.apply(v, on, nil, ops, &r)
	if err == nil {
		s.verify(v, at, nil, ops, &r.notes)
	}
	return r.notes, err
}
