package entry

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/place"
	"psync/internal/metadata"
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
		w.job.Emit(d, it.facts, report.Event{Kind: report.Link, Name: it.name, Size: attr.Size, Diff: it.diff, Basis: linkedBasis(w.job)})
		w.removeSource(d, it, attr)
	case plan.OmitFile:
		reportCurrent(w.job, d, it, report.Event{Name: it.name, Size: attr.Size})
	}
	it.placed = substitution != plan.OmitFile
	if it.placed {
		hashCurrent(ctx, w.job, d, it, attr)
	}
	w.job.Count.Add(report.FilesKept, 1)
	w.job.Count.Add(report.BytesKept, attr.Size)
	return true, nil
}

// linkedBasis returns the basis of an entry that is linked to that of another tree.
func linkedBasis(j *job.Worker) *report.Basis {
	if !j.Run.Reporting.Bases {
		return nil
	}
	return &report.Basis{Linked: true, Same: true}
}

// linkSpecial makes a link or special file as a hard link to that of another tree, if the policy wants that. It returns false if
// that cannot be done.
func linkSpecial(ctx context.Context, j *job.Worker, d *job.Dir, it *item, alt place.Alternative) (done bool, err error) {
	same := it.there.ID() == alt.ID
	if alt.Exact == nil || it.step != plan.Create || j.Run.Job.Alternatives.Kind.Substitute(it.step, same, alt.ID.Dev == deviceOf(j, d)) != plan.Link {
		return false, nil
	}
	if j.Run.Job.DryRun {
		return true, nil
	}
	return linkTo(ctx, j, d, it, alt.Exact)
}

// basisOfName returns the basis of a name that becomes one of first. With --link-dest, another tree must have both names for one
// entry.
func basisOfName(j *job.Worker, d *job.Dir, it *item, attr vfs.Attr, first linkCopy) *report.Basis {
	if !j.Run.Reporting.Bases || it.step != plan.Create || len(j.Run.Job.Alternatives.Dirs) == 0 {
		return nil
	}
	linked := j.Run.Job.Alternatives.Kind == plan.LinkDest
	o := desired(j, d, it, attr)
	defer o.Close()
	for _, dir := range d.OpenAlternatives(&j.Run.Job.Alternatives) {
		there, err := vfs.Lstat(dir.Dir, it.name)
		switch {
		case err != nil || there.Mode.Type() != attr.Mode.Type():
			continue
		case linked && first.ID == there.ID():
			return linkedBasis(j)
		case attr.Mode.IsRegular() && j.Run.Job.Policy.Alternative(attr, there, d.Tolerance()) == plan.Transfer:
			continue
		case linked && !j.Run.Job.DryRun:
			continue
		}
		diff := j.Attrs.DiffersIn(d.Volumes(), metadata.Entry{Dir: dir.Dir, Name: it.name}, there, o)
		if !linked {
			diff |= report.DiffLinks
		}
		return &report.Basis{Diff: diff, Linked: true, Same: true}
	}
	return nil
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
