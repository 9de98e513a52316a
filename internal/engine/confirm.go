package engine

import (
	"errors"
	"slices"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

var errAltered = errors.New("changed by the volume")

// confirm looks whether operations on an entry that was like before, if that is known, have had
// the effect that they said to have had, if nobody has seen such an effect on this volume yet.
// Some volumes take owners, modes or times, and forget or change them. It tells, and returns, which
// attributes were not kept; they are no difference that was made up for.
func (w *worker) confirm(d *directory, name string, on metadata.Settable, before *vfs.Attr, ops []metadata.Op) (missed report.Attr) {
	v := d.dstVolume
	doubts := v.proof.Load().Doubts(ops)
	if doubts == 0 {
		return 0
	}
	if !v.looks.Swap(true) {
		defer close(v.looked)
	} else {
		<-v.looked // what the first has seen spares the others a round trip
		if doubts = v.proof.Load().Doubts(ops); doubts == 0 {
			return 0
		}
	}
	now, err := on.Stat()
	if err != nil {
		return 0 // whatever is wrong, it was right when the attributes were set
	}
	missed, ignored := v.prove(doubts, ops, before, now)
	for i := range ops {
		ops[i].Diff &^= missedDiff(missed)
	}
	w.unkept(d, name, missed&ignored, errIgnored)
	w.unkept(d, name, missed&^ignored, errAltered)
	return missed
}

// prove adds what an entry has got of doubtful attributes to what is known of the volume.
func (v *volume) prove(doubts report.Attr, ops []metadata.Op, before *vfs.Attr, now vfs.Attr) (missed, ignored report.Attr) {
	v.mu.Lock()
	defer v.mu.Unlock()
	known := *v.proof.Load()
	if missed = known.Learn(doubts, ops, now); missed != 0 && before != nil {
		ignored = known.Ignores(missed, ops, *before, now)
		v.ignore(ignored)
	}
	v.proof.Store(&known)
	return missed, ignored
}

// missedDiff returns the differences that stay where attributes were not kept.
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

// ignoresOwner reports whether the owner that ops begin with has not become that of the entry,
// as far as that is in doubt and gives somebody rights by what follows.
func ignoresOwner(v *volume, on metadata.Settable, ops []metadata.Op) bool {
	doubts := v.proof.Load().Doubts(ops[:1])
	if doubts == 0 || !slices.ContainsFunc(ops[1:], func(op metadata.Op) bool { return op.SetsID() }) {
		return false
	}
	now, err := on.Stat()
	owner := &ops[0]
	return err != nil || owner.UID >= 0 && owner.UID != int(now.UID) || owner.GID >= 0 && owner.GID != int(now.GID)
}
