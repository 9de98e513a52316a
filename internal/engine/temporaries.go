package engine

import (
	"fmt"
	"sync"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/sweep"
	"psync/internal/report"
	"psync/internal/vfs"
)

// mayHoldTemporaries reports whether the destination of d must be searched for temporaries of earlier runs. If it has
// the modification time of its source, it was finished and no entry was made in it since, so it has none. On a
// network file system it is searched anyway, because listing it also fetches the attributes of its entries.
func mayHoldTemporaries(j *job.Worker, d *directory) bool {
	return !j.Run.Job.DryRun && d.Dst != nil && !d.Fresh() &&
		(d.FarDest || !j.Run.Job.Keep.Mtime || !d.Attr.Mtime.Equal(d.DestAttr.Mtime))
}

// A rootSweep holds the result of sweeping the root of the destination for all sources that copy only some entries
// there, so it is listed once for all of them.
type rootSweep struct {
	once  sync.Once
	had   *job.Listed
	inUse []string
}

// sweepRoot is sweep, but sweeps a root that several sources share only once.
func (w *worker) sweepRoot(d *directory) {
	if d.Path("") != "" || w.job.Run.CopiesItself(&d.Dir) || d.names != nil {
		w.sweep(d)
		return
	}
	w.run.rootSweep.once.Do(func() {
		w.sweep(d)
		if d.Had != nil {
			d.Had.Shared = true
		}
		w.run.rootSweep.had, w.run.rootSweep.inUse = d.Had, d.InUse
	})
	d.Had, d.InUse = w.run.rootSweep.had, w.run.rootSweep.inUse
}

// sweep removes the temporaries of dead processes from the destination of d. It records the other entries in d.Had if
// they will be needed.
func (w *worker) sweep(d *directory) {
	var had *job.Listed
	stays := func(vfs.Entry) {}
	if d.FarDest || d.names != nil {
		had = w.job.Run.Listings.New()
		stays = had.Add
	}
	found, err := w.job.Run.Sweeper.Sweep(d.Dst, d.DestAttr, func() { w.job.PrepareChange(&d.Dir) }, stays)
	setHad(d, had, err)
	d.InUse = found.InUse
	for _, t := range found.Left {
		if t.Err != nil || d.names == nil { // otherwise removeExtraneous will remove it
			reportTemporary(w.job, &d.Dir, t)
		}
	}
}

// listDest is sweep for a dry run, which removes nothing.
func listDest(j *job.Worker, d *directory) {
	had := j.Run.Listings.New()
	setHad(d, had, d.Dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			had.Add(e)
		}
		return nil
	}))
}

// setHad records what d had if that was listed without an error.
func setHad(d *directory, had *job.Listed, err error) {
	if err != nil {
		had.Forget()
	} else if had != nil {
		had.Sort()
		d.Had = had
	}
}

// reportTemporary reports a temporary that remains in the destination of d.
func reportTemporary(j *job.Worker, d *job.Dir, t sweep.Temporary) {
	if t.Err == nil {
		j.Run.LeaveTemporary(d.Pair, job.Key{Source: d.Task.Source, Path: d.Path("")}, t)
		return
	}
	d.LeavesTemporary.Store(true)
	if d.Dst == j.Run.Job.TempDir {
		t.Err = fmt.Errorf("--temp-dir: %w", t.Err)
	}
	j.Failed(d, pairs.Dest, report.Event{Name: t.Name, IsDir: t.IsDir, Err: t.Err})
}

// sweepAgain checks again for the temporaries of running processes that the destination of d had, and reports whether
// a temporary remains there. If so, d must not get the modification time of its source, so that the next run looks
// for the temporary; see mayHoldTemporaries.
func (w *worker) sweepAgain(d *job.Dir) (left bool) {
	for _, t := range w.job.Run.Sweeper.Again(d.Dst, d.DestAttr, d.InUse, func() { w.job.PrepareChange(d) }) {
		left = true
		if !w.job.Run.Job.Process.Made(t.Name) {
			reportTemporary(w.job, d, t)
		}
	}
	return left || d.LeavesTemporary.Load()
}
