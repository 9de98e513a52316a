package engine

import (
	"errors"
	"slices"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

var errAltered = errors.New("changed by the volume")

// verifyAttrs looks up whether ops, which succeeded, have set the attributes of an entry, unless
// this volume has been seen to keep such attributes before: some volumes accept owners, modes or
// times and store something else. It reports and returns the attributes that were not kept, and
// takes them out of Diff of ops. before holds the attributes from before ops, if they are known.
func (w *worker) verifyAttrs(d *directory, name string, on metadata.Settable, before *vfs.Attr, ops []metadata.Op) (missed report.Attr) {
	v := d.dstVolume
	unverified := v.fidelity.Load().Unverified(ops)
	if unverified == 0 {
		return 0
	}
	if !v.verifying.Swap(true) {
		defer close(v.verified)
	} else {
		<-v.verified // by another worker, which may save a round trip
		if unverified = v.fidelity.Load().Unverified(ops); unverified == 0 {
			return 0
		}
	}
	now, err := on.Stat()
	if err != nil {
		return 0 // setting them was no error, so this is one of looking
	}
	missed, ignored := v.verify(unverified, ops, before, now)
	for i := range ops {
		ops[i].Diff &^= missedDiff(missed)
	}
	w.unkept(d, name, missed&ignored, errIgnored)
	w.unkept(d, name, missed&^ignored, errAltered)
	return missed
}

// verify compares the unverified attributes of an entry to those that ops have set, and remembers for
// the volume what that shows. It returns which were not kept and, of these, which had no effect.
func (v *volume) verify(unverified report.Attr, ops []metadata.Op, before *vfs.Attr, now vfs.Attr) (missed, ignored report.Attr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	known := *v.fidelity.Load()
	if missed = known.Verify(unverified, ops, now); missed != 0 && before != nil {
		ignored = known.Ignored(missed, ops, *before, now)
		v.ignore(ignored)
	}
	v.fidelity.Store(&known)
	return missed, ignored
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

// ignoresOwner reports whether chown, the first of ops, may have had no effect although it
// succeeded, and a later one of ops sets a set-id bit, which would then grant the rights of the old
// owner. It asks the entry only if the volume has not been seen to keep owners.
func ignoresOwner(v *volume, on metadata.Settable, ops []metadata.Op) bool {
	unverified := v.fidelity.Load().Unverified(ops[:1])
	if unverified == 0 || !slices.ContainsFunc(ops[1:], func(op metadata.Op) bool { return op.SetsID() }) {
		return false
	}
	now, err := on.Stat()
	owner := &ops[0]
	return err != nil || owner.UID >= 0 && owner.UID != int(now.UID) || owner.GID >= 0 && owner.GID != int(now.GID)
}
