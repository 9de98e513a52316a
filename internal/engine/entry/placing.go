package entry

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/place"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// begin prepares for making an entry that should have the attributes o, or that has its attributes already.
func begin(j *job.Worker, d *job.Dir, it *item, o *attrs.Desired) place.Entry {
	j.PrepareChange(d)
	e := place.Entry{Name: it.name, Action: it.step, Attrs: o, Only: mustStillBe(j, d, it)}
	if it.step == plan.ReplaceDir {
		e.MakeWay = func(ctx context.Context, notes attrs.Notes) error {
			j.ReportAttrs(d, it.name, &it.flawed, notes)
			return makeWay(ctx, j, d, it)
		}
	}
	return e
}

// mustStillBe returns what the destination's entry must be when it is replaced, because a newer one must stay, or nil
// if that does not matter.
func mustStillBe(j *job.Worker, d *job.Dir, it *item) *vfs.Premise {
	if !j.Run.Job.Policy.Update || it.step != plan.Replace {
		return nil
	}
	return unchanged(d, it)
}

// unchanged returns the premise that the destination's entry is what it was when it was looked at. The premise does
// not include the change time, which backups and lifting locks alter, nor, where a volume copies entries up, the
// inode number, which copying up alters.
func unchanged(d *job.Dir, it *item) *vfs.Premise {
	if it.only == nil {
		only := vfs.PremiseOf(it.there)
		only.Ctime = 0
		if d.DstVolume.CopiesUp {
			only.Ino = 0
		}
		it.only = &only
	}
	return it.only
}

// reportOutcome reports the outcome for an entry, except for its contents.
func reportOutcome(j *job.Worker, d *job.Dir, it *item, o *place.Outcome) {
	j.Run.DeferLocks(d, it.name, o.Locks)
	j.ReportAttrs(d, it.name, &it.flawed, o.Notes)
}

// methodFor returns how to make an entry.
func (w *Worker) methodFor(it *item, o *attrs.Desired, elsewhere bool) plan.Method {
	method := w.job.Run.Job.Policy.Method(it.step, o.Want.Mode, it.there.Mode, elsewhere)
	if method == plan.Rewrite && !w.mayStay(it, o.Want.Attr) {
		method = plan.Temporary
	}
	return method
}

// mayStay reports whether the destination's counterpart of an entry with the attributes attr, if left as it is, does
// not already stand for another entry.
func (w *Worker) mayStay(it *item, attr vfs.Attr) bool {
	if w.job.Run.Job.HardLinks && it.there.Nlink > 1 && !w.job.Run.Job.Compare && !w.shared.links.Claim(it.there.ID(), attr.ID()) {
		it.foreign = true
	}
	return !it.foreign
}
