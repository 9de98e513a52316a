package engine

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"psync/internal/engine/attrs"
	"psync/internal/engine/pairs"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
)

// mayCopyUp reports whether what is done elsewhere may still copy an entry of d to an upper layer,
// which could undo that the times of d are set: the first change in a subdirectory does so, and
// further names of a file.
func (w *worker) mayCopyUp(d *jobDir) bool {
	return d.dstVolume.CopiesUp && !d.fresh() &&
		(d.children.Load() || w.HardLinks || d.task.Kind == clearTask || len(w.Sources) > 1)
}

// deferDir leaves operations on d to applyDeferred.
func (w *worker) deferDir(d *jobDir, ops []metadata.Op) {
	if len(ops) == 0 {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.deferred = append(w.deferred, deferral{d: d.dirInfo, ops: ops})
}

// applyDeferred does what was deferred when all else is done: the deepest first, as
// many at once as there are workers. It does so after an interrupt too, for
// these directories are complete.
func (r *run) applyDeferred() {
	w := r.worker()
	for path, err := range r.backups.Finish() {
		w.failDir(new(dirInfo).open(pairs.Pair{}), pairs.Dest, path, err)
	}
	for _, l := range r.locked {
		w.applyOne(l)
	}
	r.deferred = lastOfEach(r.deferred)
	slices.SortFunc(r.deferred, func(a, b deferral) int { return cmp.Compare(b.depth(), a.depth()) })
	workers := make([]*worker, min(r.Workers.Get(), len(r.deferred)))
	for i := range workers {
		workers[i] = r.worker()
	}
	for rest := r.deferred; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(m deferral) bool { return m.depth() != rest[0].depth() })
		if n < 0 {
			n = len(rest)
		}
		var next atomic.Int64
		var wait sync.WaitGroup
		for _, w := range workers {
			wait.Go(func() {
				for i := next.Add(1); i <= int64(n); i = next.Add(1) {
					w.applyOne(rest[i-1])
				}
			})
		}
		wait.Wait()
		rest = rest[n:]
	}
}

// lastOfEach returns the last deferral of each directory. One that was finished twice, or has several
// sources, has all that is left to do in the last, and after the first it may be locked.
func lastOfEach(all []deferral) []deferral {
	at := make(map[vfs.ID]int, len(all))
	var last []deferral
	for _, m := range all {
		id := m.d.destAttr.ID()
		if i, found := at[id]; found {
			last[i] = m
			continue
		}
		at[id] = len(last)
		last = append(last, m)
	}
	return last
}

func (w *worker) applyOne(m deferral) {
	d := m.d.open(pairs.Pair{})
	if w.mayGetBackupDir(d) && !d.touched.Load() && !w.backups.MadeDir() {
		restores := func(op metadata.Op) bool { return op.Class == metadata.Times && op.Diff == 0 }
		if m.ops = slices.DeleteFunc(m.ops, restores); len(m.ops) == 0 {
			return // nothing has changed the times
		}
	}
	dir, closeDir, err := w.reopen(d.dirInfo)
	if err == nil {
		var notes attrs.Notes
		at := metadata.Entry{Dir: dir, Name: cmp.Or(m.name, ".")}
		notes, err = w.attrs.ApplyDeferred(d.dstVolume, at, m.ops)
		w.reportAttrs(d, m.name, new(bool), notes)
		closeDir()
	}
	if err != nil {
		w.failed(d, pairs.Dest, report.Event{Name: m.name, IsDir: m.name == "", Err: err})
	}
}
