package engine

import (
	"sync/atomic"

	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
)

// An unfinished directory is complete but for what others are about to do in it. Who
// does the last of that finishes it.
type unfinished struct {
	d       *job.DirInfo
	desired *attrs.Desired // if it needs the source, which is closed by then
	pending atomic.Int32   // what is still to be done
}

// leaveUnfinished leaves it to the last of n parties to finish d. The source will not be
// open then.
func (w *worker) leaveUnfinished(d *directory, n int32) *unfinished {
	u := &unfinished{d: d.DirInfo}
	if w.Keep.Extended() && d.Src != nil {
		var flawed bool
		o := w.desiredDir(d.Dir, &flawed)
		o.Close()
		u.desired = &attrs.Desired{Want: o.Want}
	}
	u.pending.Store(n)
	d.Finished.Store(true) // it will be
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unfinished == nil {
		w.unfinished = make(map[*unfinished]bool)
	}
	w.unfinished[u] = true
	return u
}

// finishLast finishes a directory whose destination is open as p, unless something
// else is pending in it.
func (w *worker) finishLast(u *unfinished, p pairs.Pair) {
	if u.pending.Add(-1) > 0 {
		return
	}
	w.mu.Lock()
	delete(w.unfinished, u)
	w.mu.Unlock()
	if d := u.d.Open(p); w.CopiesItself(d) {
		w.finish(d, u.desired)
	}
}

// closeUpUnfinished takes back what OpenUp of the job did to directories that an
// interrupted run has not got round to finish.
func (r *run) closeUpUnfinished() {
	for u := range r.unfinished {
		d := u.d
		if r.DryRun || !d.Found.IsDir() {
			continue
		}
		dst, closeDir, err := r.Reopen(d)
		if err != nil {
			continue
		}
		d.Finished.Store(false)
		r.worker().CloseUp(d.Open(pairs.Pair{Dst: dst}))
		closeDir()
	}
}
