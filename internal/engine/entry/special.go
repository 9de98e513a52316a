package entry

import (
	"context"
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// symlink copies a symbolic link as a link.
func (w *Worker) symlink(ctx context.Context, d *job.Dir, it *item) {
	name := it.name
	attr := vfs.Attr{Mode: fs.ModeSymlink | 0o777}
	if w.job.Run.Job.Policy.NeedsSource(fs.ModeSymlink, it.there.Mode, needsStat(w.job) || w.job.Run.Job.HardLinks || w.job.Run.Job.RemoveSource) {
		var err error
		if attr, err = source.Stat(d.Src, it.listed(), false); err != nil {
			w.job.Fail(d, pairs.Source, name, err)
			return
		}
		w.job.Attrs.Adjust(&attr, d.Dst, &d.Inherited)
		if w.joins(ctx, d, it, attr) {
			countTarget(w.job, d, it, attr.Size)
			return
		}
	}
	target, err := it.listed().Readlink(d.Src)
	if err != nil {
		w.job.Fail(d, pairs.Source, name, err)
		return
	}
	countTarget(w.job, d, it, int64(len(target)))
	if leavesOut(w.job, d, it, attr, target) {
		return
	}
	e := report.Event{Kind: report.Symlink, Name: name, Target: target, Diff: it.diff}
	if plan.Special(attr, it.there) == plan.CompareContents {
		if old, err := d.Had.Existing(name, it.there).Readlink(d.Dst); err == nil && old == target && w.mayStay(it, attr) {
			w.currentNamed(ctx, d, e, attr, it)
			return
		}
		e.Diff |= report.DiffContents
	}
	w.makeSpecial(ctx, d, e, attr, it)
}

// countTarget counts the length of the target of a link, unless it was counted when the link was first looked at.
func countTarget(j *job.Worker, d *job.Dir, it *item, length int64) {
	if d.Task.Kind == job.Copy && !it.alone {
		j.Count.Add(report.LinkBytes, length)
	}
}

// currentNamed sets the missing attributes of an entry that is otherwise correct.
func (w *Worker) currentNamed(ctx context.Context, d *job.Dir, e report.Event, attr vfs.Attr, it *item) {
	it.placed, it.stays = true, true
	if err := adjust(ctx, w.job, d, e, attr, it); err != nil {
		w.job.Fail(d, pairs.Dest, e.Name, err)
		return
	}
	w.job.Count.Add(report.OthersKept, 1)
	w.removeSource(d, it, attr)
}

// special copies a fifo, a socket or a device; a comparison only looks at it.
func (w *Worker) special(ctx context.Context, d *job.Dir, t fs.FileMode, it *item) {
	attr, err := w.job.Stat(d, it.listed())
	if err == nil && attr.Mode.Type() != t {
		err = errChangedDuringCopy
	}
	if err != nil {
		w.job.Fail(d, pairs.Source, it.name, err)
		return
	}
	if w.joins(ctx, d, it, attr) {
		return
	}
	if leavesOut(w.job, d, it, attr, "") {
		return
	}
	e := report.Event{Kind: report.Copy, Name: it.name, Type: t, Diff: it.diff}
	if it.there.Mode.Type() == t {
		if plan.Special(attr, it.there) == plan.Current && w.mayStay(it, attr) {
			w.currentNamed(ctx, d, e, attr, it)
			return
		}
		e.Diff |= report.DiffContents
	}
	w.makeSpecial(ctx, d, e, attr, it)
}

// makeSpecial makes an entry that is neither a file nor a directory, and reports it as e.
func (w *Worker) makeSpecial(ctx context.Context, d *job.Dir, e report.Event, attr vfs.Attr, it *item) {
	o := desired(w.job, d, it, attr)
	defer o.Close()
	if it.step != plan.Create {
		if it.there.Mode.Type() == attr.Mode.Type() {
			e.Diff |= differences(w.job, d, it, o)
		}
		if !w.job.Run.Job.Keep.Mtime && !w.job.Run.Job.Compare {
			e.Diff |= report.DiffNow
		}
		e.Kind = report.Replace
	}
	err := makeWayFirst(ctx, w.job, d, it)
	linked := false
	if err == nil && it.step == plan.Create && len(w.job.Run.Job.Alternatives.Dirs) > 0 {
		alt := place.FindSpecial(w.job, d, it.name, attr, e.Target, o)
		e.Basis = alt.Basis
		if linked, err = linkSpecial(ctx, w.job, d, it, alt); linked {
			e.Basis = linkedBasis(w.job)
		}
	}
	if err == nil && !linked && !w.job.Run.Job.DryRun {
		err = w.placeSpecial(ctx, d, it, o, e.Target)
	}
	if err != nil {
		if err != errDone {
			w.job.Fail(d, pairs.Dest, it.name, err)
		}
		return
	}
	it.placed = true
	w.job.Count.Add(report.OthersCopied, 1)
	w.job.Count.Add(made(it.step, attr.Mode.Type()), 1)
	w.job.Emit(d, it.facts, e)
	w.removeSource(d, it, attr)
}

// placeSpecial makes a symbolic link to target, or a special file.
func (w *Worker) placeSpecial(ctx context.Context, d *job.Dir, it *item, o *attrs.Desired, target string) error {
	e := begin(w.job, d, it, o)
	out, err := place.Special(ctx, w.job, d, e, w.methodFor(it, o, false), target)
	reportOutcome(w.job, d, it, &out)
	if err == place.ErrNotMade {
		w.job.Count.Add(report.OthersSkipped, 1)
		return errDone
	}
	return err
}

// needsStat reports whether more than the type of a source entry is needed.
func needsStat(j *job.Worker) bool {
	k := j.Run.Job.Keep
	return k.Owner || k.Group || k.Times() || k.Extended() || k.Perms || k.Chown.SetUID || k.Chown.SetGID
}
