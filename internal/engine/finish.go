package engine

import (
	"context"
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// rememberDesired keeps the attributes that d should have, since its source may not be open when they are set.
func (w *worker) rememberDesired(d *job.Dir) {
	if w.job.Run.Job.Keep.Extended() && d.Src != nil {
		o := desiredDir(w.job, d, new(bool))
		o.Close()
		d.Desired = &attrs.Desired{Want: o.Want}
	}
}

// finishLast ends a piece of work on the entries of d. If no other is left, it finishes d, open as p, or once ctx has
// ended only undoes GrantAccess. The caller has closed d.
func (w *worker) finishLast(ctx context.Context, d *job.Dir, p pairs.Pair) {
	if !d.Left.EndEntries() {
		return
	}
	d.Open(p)
	defer d.Close()
	switch {
	case ctx.Err() != nil && d.Delayed == nil: // otherwise it happens when they are discarded
		w.job.Run.RevokeAccess(d)
	case ctx.Err() != nil:
	case d.Task.Bundle.LinksEntries():
		if d.Task.Bundle.In == nil { // otherwise others may be working in it
			w.job.Run.RevokeAccess(d)
		}
	case w.job.Run.CopiesItself(d):
		w.finish(d, d.Desired)
	default:
		dirs.SweepAgain(w.job, d)
	}
}

// finishUnopened is finishLast for a directory whose source, or both sides, cannot be opened.
func (w *worker) finishUnopened(ctx context.Context, d *job.Dir) {
	if !w.job.Run.Job.DryRun {
		if dst, closeDir, err := w.job.Run.Reopen(d); err == nil {
			defer closeDir()
			w.finishLast(ctx, d, pairs.Pair{Dst: dst})
			return
		}
	}
	d.Left.EndEntries()
}

// finish sets the attributes of the destination directory to those of the source, which are in o unless o is nil.
func (w *worker) finish(d *job.Dir, o *attrs.Desired) {
	var flawed bool
	if o == nil {
		o = desiredDir(w.job, d, &flawed)
		defer o.Close()
	}
	d.Finished = true
	o.Want.Mode = plan.DirMode(w.job.Run.Job.Keep, d.Attr.Mode, d.Found, d.Fresh(), d.Path("") == "")
	if d.Dst == nil {
		return // a dry run would have made it
	}
	if w.job.Run.Job.Keep.Mtime && !d.Fresh() && !d.TimesChanged.Load() {
		w.job.LearnGranularity(d, d.Tolerance(), d.Attr.Mtime, d.DestAttr.Mtime)
	}
	v, now := d.Volumes(), d.DestAttr
	now.Mode = d.Mode()
	now.Flags &^= d.Lifted.Locks()
	u, notes := w.job.Attrs.Observe(v, d.Dst, vfs.Entry{Name: "."}, now)
	defer u.Close()
	w.job.ReportAttrs(d, "", &flawed, notes)
	forgetMtime := dirs.SweepAgain(w.job, d)
	w.job.Attrs.PlanDir(v, &u, o, attrs.DirState{
		Lifted:      d.Lifted,
		SetTimes:    d.TimesChanged.Load() || w.job.Run.MayGetBackupDir(d),
		ForgetMtime: forgetMtime,
	})
	if w.job.Run.Job.DryRun {
		reportFinished(w.job, d, o, w.job.Attrs.Diff(&u), 0)
		w.job.ReportAttrs(d, "", &flawed, w.job.Attrs.Foresee(v, &u))
		return
	}
	later := w.job.Attrs.Split(&u, job.AwaitsOthers(d), w.job.Run.MayGetBackupDir(d) || mayCopyUp(w.job, d) || d.Delayed != nil)
	w.job.Run.RememberOriginal(d, u.Ops())
	r, err := w.job.Attrs.ApplyDir(v, &u, later, d.HasFailures.Load())
	w.job.ReportAttrs(d, "", &flawed, r.Notes)
	if err != nil {
		w.job.FailDir(d, pairs.Dest, "", err)
	}
	reportFinished(w.job, d, o, r.Diff, r.Missed|d.DstVolume.Ignored())
	w.run.deferDir(d, later)
}

// desiredDir returns the attributes that the destination of d should have, and reports those that could not be read.
// The caller closes it.
func desiredDir(j *job.Worker, d *job.Dir, flawed *bool) *attrs.Desired {
	o, notes := j.Attrs.DesiredAt(d.Volumes(), d.Src, vfs.Entry{Name: "."}, d.Attr)
	j.ReportAttrs(d, "", flawed, notes)
	return o
}

// reportFinished reports how an existing directory differed. Rights that this run added do not count, nor does a mode
// that the volume has not kept.
func reportFinished(j *job.Worker, d *job.Dir, o *attrs.Desired, diff report.Diff, missed report.Attr) {
	if !j.Run.Job.Policy.Sync || d.Task.Kind != job.Copy || d.Fresh() {
		return
	}
	was := d.Mode()&^fs.ModePerm | d.Found.Perm()
	switch {
	case j.Run.Job.Compare && diff&report.DiffPerms != 0:
	case missed&report.Mode != 0:
		diff &^= report.DiffPerms
	case o.Want.Mode.Perm() != was.Perm() || j.Run.Job.Keep.Perms && o.Want.Mode != was:
		diff |= report.DiffPerms
	default:
		diff &^= report.DiffPerms
	}
	if diff == 0 {
		j.Emit(d, nil, report.Event{Kind: report.Current, IsDir: true})
	} else {
		j.Count.Add(report.AttrsSet, 1)
		j.Emit(d, nil, report.Event{Kind: report.SetAttr, IsDir: true, Diff: diff})
	}
}
