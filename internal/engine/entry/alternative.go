package entry

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/place"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// findAlternative looks for a file with the contents of src in the other trees.
// The caller closes the file in Near.
func findAlternative(ctx context.Context, j *job.Worker, d *job.Dir, it *item, src vfs.File, o *attrs.Desired) (a place.Alternative) {
	if len(j.Run.Job.Alternatives.Dirs) == 0 {
		return a
	}
	j.Copier.Cutoff = rangesFrom(j, d)
	return place.FindAlternative(ctx, j, d, it.name, src, o)
}

// take applies what the policy decides for an exact match. It returns false if the file must be copied after all.
func (w *Worker) take(ctx context.Context, d *job.Dir, it *item, alt place.Alternative, attr vfs.Attr) (done bool, err error) {
	same := it.there.ID() == alt.ID && alt.ID != (vfs.ID{})
	substitution := w.job.Run.Job.Alternatives.Kind.Substitute(it.step, same, alt.ID.Dev == deviceOf(w.job, d))
	switch substitution {
	case plan.CopyAnyway:
		return false, nil
	case plan.Linked: // by an earlier run
		it.stays = true
		reportCurrent(w.job, d, it, report.Event{Name: it.name, Size: attr.Size})
		w.removeSource(d, it, attr)
	case plan.Link:
		if !w.job.Run.Job.DryRun {
			if done, err := linkTo(ctx, w.job, d, it, alt.Exact); !done || err != nil {
				return false, err
			}
		}
		w.job.Emit(d, it.facts, report.Event{Kind: report.Link, Name: it.name, Size: attr.Size, Diff: it.diff})
		w.removeSource(d, it, attr)
	}
	it.placed = substitution != plan.OmitFile
	if it.placed {
		hashCurrent(ctx, w.job, d, it, attr)
	}
	w.job.Count.Add(report.FilesKept, 1)
	w.job.Count.Add(report.BytesKept, attr.Size)
	return true, nil
}

// deviceOf returns the device of d's destination, or of the directory that it would be made in.
func deviceOf(j *job.Worker, d *job.Dir) uint64 {
	if d.Dst == nil {
		return j.Run.DestID.Dev
	}
	return d.DestAttr.Dev
}

// linkTo makes a file as a hard link to the file of another tree. It returns false if the file system does not
// support that.
func linkTo(ctx context.Context, j *job.Worker, d *job.Dir, it *item, from vfs.Dir) (done bool, err error) {
	e := begin(j, d, it, nil)
	out, refused, err := place.HardLink(ctx, j, d, e, from, it.name)
	reportOutcome(j, d, it, &out)
	return refused == nil && err == nil, err
}
