package engine

import (
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/engine/pairs"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
)

// finish gives the destination directory the attributes of the source, which are in o unless that is nil.
func (w *worker) finish(d *jobDir, o *attrs.Desired) {
	var flawed bool
	if o == nil {
		o = w.desiredDir(d, &flawed)
		defer o.Close()
	}
	d.finished.Store(true)
	o.Want.Mode = plan.DirMode(w.Keep, d.attr.Mode, d.found, d.fresh(), d.path("") == "")
	if d.Dst == nil {
		return // a dry run would have made it
	}
	if w.Keep.Mtime && !d.fresh() && !d.touched.Load() {
		w.learnGranularity(d, d.tolerance(), d.attr.Mtime, d.destAttr.Mtime)
	}
	v, now := d.volumes(), d.destAttr
	now.Mode = d.mode()
	now.Flags &^= d.lifted.Locks()
	u, notes := w.attrs.Observe(v, metadata.Entry{Dir: d.Dst, Name: "."}, now)
	defer u.Close()
	w.reportAttrs(d, "", &flawed, notes)
	w.attrs.PlanDir(v, &u, o, attrs.DirState{
		Lifted:      d.lifted,
		Touched:     d.touched.Load() || w.mayGetBackupDir(d),
		ForgetMtime: w.holdsTemporaries(d),
	})
	if w.DryRun {
		w.reportFinished(d, o, w.attrs.Diff(&u), 0)
		w.reportAttrs(d, "", &flawed, w.attrs.Foresee(v, &u))
		return
	}
	later := w.attrs.Split(&u, d.children.Load(), w.mayGetBackupDir(d) || w.mayCopyUp(d))
	w.rememberOriginal(d, u.Ops())
	r, err := w.attrs.ApplyDir(v, &u, later, d.trouble.Load())
	w.reportAttrs(d, "", &flawed, r.Notes)
	if err != nil {
		w.failDir(d, pairs.Dest, "", err)
	}
	w.reportFinished(d, o, r.Diff, r.Missed|d.dstVolume.Ignored())
	w.deferDir(d, later)
}

// desiredDir returns what the destination of d should have, and reports what could not be read. The
// caller closes it.
func (w *worker) desiredDir(d *jobDir, flawed *bool) *attrs.Desired {
	o, notes := w.attrs.DesiredAt(d.volumes(), d.Src, ".", d.attr)
	w.reportAttrs(d, "", flawed, notes)
	return o
}

// reportFinished reports in what an existing directory differed. That it was opened up
// for this run does not count, nor does a mode that the volume has not kept.
func (w *worker) reportFinished(d *jobDir, o *attrs.Desired, diff report.Diff, missed report.Attr) {
	if !w.Policy.Sync || d.task.Kind != copyTask || d.fresh() {
		return
	}
	was := d.mode()&^fs.ModePerm | d.found.Perm()
	switch {
	case w.Compare && diff&report.DiffPerms != 0:
	case missed&report.Mode != 0:
		diff &^= report.DiffPerms
	case o.Want.Mode.Perm() != was.Perm() || w.Keep.Perms && o.Want.Mode != was:
		diff |= report.DiffPerms
	default:
		diff &^= report.DiffPerms
	}
	if diff != 0 {
		w.count.Add(report.AttrsSet, 1)
		w.emit(d, report.Event{Kind: report.SetAttr, IsDir: true, Diff: diff})
	}
}
