package engine

import (
	"context"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
)

// leaveUnfinished leaves finishing d to the last of n parties that are about to do something in it. The source will
// not be open then.
func (w *worker) leaveUnfinished(d *directory, n int) {
	if w.job.Run.Job.Keep.Extended() && d.Src != nil {
		var flawed bool
		o := desiredDir(w.job, &d.Dir, &flawed)
		o.Close()
		d.Desired = &attrs.Desired{Want: o.Want}
	}
	d.Remaining.Add(1)
	d.Finished.Store(true) // it will be
	w.run.mu.Lock()
	defer w.run.mu.Unlock()
	if w.run.unfinished == nil {
		w.run.unfinished = make(map[*job.DirInfo]int)
	}
	w.run.unfinished[d.DirInfo] = n
}

// finishLast finishes a directory whose destination is open as p, unless something else is pending in it.
func (w *worker) finishLast(ctx context.Context, d *job.DirInfo, p pairs.Pair) {
	w.run.mu.Lock()
	w.run.unfinished[d]--
	pending := w.run.unfinished[d]
	if pending == 0 {
		delete(w.run.unfinished, d)
	}
	w.run.mu.Unlock()
	if pending > 0 {
		return
	}
	if d := d.Open(p); w.job.Run.CopiesItself(d) {
		w.finish(d, d.Desired)
	} else {
		w.sweepAgain(d)
	}
	w.job.Run.EndWork(ctx, d)
}

// revokeAccessToUnfinished undoes GrantAccess of the job in directories that an interrupted run did not finish.
func (r *run) revokeAccessToUnfinished() {
	for d := range r.unfinished {
		if r.job.Job.DryRun || !d.Found.IsDir() {
			continue
		}
		dst, closeDir, err := r.job.Reopen(d)
		if err != nil {
			continue
		}
		d.Finished.Store(false)
		r.worker().job.Run.RevokeAccess(d.Open(pairs.Pair{Dst: dst}))
		closeDir()
	}
}
