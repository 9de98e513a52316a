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
func (w *Worker) findAlternative(ctx context.Context, d *job.Dir, it *item, src vfs.File, o *attrs.Desired) (a place.Alternative) {
	if len(w.job.Run.Alternatives.Dirs) == 0 {
		return a
	}
	w.job.Copier.Cutoff = cutoff(w.job, d)
	return place.FindAlternative(ctx, w.job, d.OpenAlternatives(&w.job.Run.Alternatives), w.job.Run.Alternatives.Kind, d.Volumes(), it.name, src, o)
}

// take applies what the policy decides for an exact match. It returns false if the file must be copied after all.
func (w *Worker) take(ctx context.Context, d *job.Dir, it *item, alt place.Alternative, attr vfs.Attr) (done bool, err error) {
	same := it.there.ID() == alt.ID && alt.ID != (vfs.ID{})
	substitution := w.job.Run.Alternatives.Kind.Substitute(it.step, same, alt.ID.Dev == deviceOf(w.job, d))
	switch substitution {
	case plan.CopyAnyway:
		return false, nil
	case plan.Linked: // by an earlier run
		it.stays = true
		w.removeSource(d, it, attr)
	case plan.Link:
		if !w.job.Run.DryRun {
			if done, err := w.linkTo(ctx, d, it, alt.Exact); !done || err != nil {
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
func (w *Worker) linkTo(ctx context.Context, d *job.Dir, it *item, from vfs.Dir) (done bool, err error) {
	e := begin(w.job, d, it, nil)
	out, refused, err := place.HardLink(ctx, w.job, d, e, from, it.name)
	reportOutcome(w.job, d, it, &out)
	return refused == nil && err == nil, err
}
