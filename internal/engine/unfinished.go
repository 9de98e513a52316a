package engine

import (
	"sync/atomic"
)

// An unfinished directory is complete but for what others are about to do in it. Who
// does the last of that finishes it.
type unfinished struct {
	d       *directory
	pending atomic.Int32 // what is still to be done
	touched atomic.Bool
	trouble atomic.Bool
	litter  atomic.Bool
}

// leaveUnfinished hands d over to n who are going to finish it. Its source will not be
// open then.
func (w *worker) leaveUnfinished(d *directory, n int32) *unfinished {
	if w.Keep.Extended() && d.src != nil && d.desired == nil {
		o, done := w.desiredOfDir(d)
		done()
		d.desired = &desired{want: o.want}
	}
	u := &unfinished{d: d.stub()}
	u.pending.Store(n)
	d.finished = true // it will be
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unfinished == nil {
		w.unfinished = make(map[*unfinished]bool)
	}
	w.unfinished[u] = true
	return u
}

// learn takes over what became of d, which the caller alone works in until it has finished its
// part: it may have been opened up.
func (u *unfinished) learn(d *directory) {
	u.d.destAttr, u.d.lifted = d.destAttr, d.lifted
	if d.trouble {
		u.trouble.Store(true)
	}
	if d.touched {
		u.touched.Store(true)
	}
	if d.littered {
		u.litter.Store(true)
	}
}

// finishLast finishes a directory whose destination is open as p, unless something
// else is pending in it.
func (w *worker) finishLast(u *unfinished, p pair) {
	if u.pending.Add(-1) > 0 {
		return
	}
	w.mu.Lock()
	delete(w.unfinished, u)
	w.mu.Unlock()
	if !w.copiesItself(u.d) {
		return
	}
	u.d.pair = p
	u.d.touched = u.d.touched || u.touched.Load()
	u.d.trouble = u.d.trouble || u.trouble.Load()
	u.d.littered = u.d.littered || u.litter.Load()
	w.finish(u.d)
}

// closeUpUnfinished takes back what openUp did to directories that an
// interrupted run has not got round to finish.
func (r *run) closeUpUnfinished() {
	for u := range r.unfinished {
		d := u.d
		if r.DryRun || !d.found.IsDir() {
			continue
		}
		dst, closeDir, err := r.reopen(d)
		if err != nil {
			continue
		}
		d.dst, d.finished = dst, false
		r.worker().closeUp(d)
		closeDir()
	}
}
