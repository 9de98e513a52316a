package engine

import (
	"errors"

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
	missed, ignored := d.dstVolume.Verify(on, before, ops)
	if missed == 0 {
		return 0
	}
	for i := range ops {
		ops[i].Diff &^= missedDiff(missed)
	}
	w.unkept(d, name, missed&ignored, errIgnored)
	w.unkept(d, name, missed&^ignored, errAltered)
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
