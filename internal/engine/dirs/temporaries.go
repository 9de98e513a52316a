package dirs

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
func mayHoldTemporaries(j *job.Worker, d *job.Dir) bool {
	return !j.Run.Job.DryRun && d.Dst != nil && !d.Fresh() &&
		(d.FarDest || !j.Run.Job.Keep.Mtime || !d.Attr.Mtime.Equal(d.DestAttr.Mtime))
}

// A RootSweep holds the result of sweeping the root of the destination for all sources that copy only some entries
// there, so it is listed once for all of them.
type RootSweep struct {
	mu   sync.Mutex // guards the fields below
	done bool
	had  *job.Listed
	live []string
}

// Sweep removes the temporaries of dead processes from the destination of d, if it may hold some. It records the other
// entries in d.Had if they will be needed; removes says that extraneous ones are removed. A root that several sources
// share is swept only once.
func (r *RootSweep) Sweep(j *job.Worker, d *job.Dir, removes bool) {
	switch {
	case !mayHoldTemporaries(j, d):
		if j.Run.Job.DryRun && d.FarDest && !d.Fresh() {
			listDest(j, d)
		}
		return
	case d.Path("") != "" || j.Run.CopiesItself(d) || removes:
		Sweep(j, d, removes)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.done {
		Sweep(j, d, removes)
		if d.Had != nil {
			d.Had.Shared = true
		}
		r.done, r.had, r.live = true, d.Had, d.LiveTemporaries
	}
	d.Had, d.LiveTemporaries = r.had, r.live
}

// Sweep does that for any directory of the destination.
func Sweep(j *job.Worker, d *job.Dir, removes bool) {
	var had *job.Listed
	stays := func(vfs.Entry) {}
	if d.FarDest || removes {
		had = j.Run.Listings.New()
		stays = had.Add
	}
	found, err := j.Run.Sweeper.Sweep(d.Dst, d.DestAttr, func() { j.PrepareChange(d) }, stays)
	setHad(d, had, err)
	d.LiveTemporaries = found.Live
	for _, t := range found.Left {
		if t.Err != nil || !removes { // otherwise removeExtraneous will remove it
			reportTemporary(j, d, t)
		}
	}
}

// listDest is Sweep for a dry run, which removes nothing.
func listDest(j *job.Worker, d *job.Dir) {
	had := j.Run.Listings.New()
	setHad(d, had, d.Dst.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			had.Add(e)
		}
		return nil
	}))
}

// setHad records what d had if that was listed without an error.
func setHad(d *job.Dir, had *job.Listed, err error) {
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
		j.Run.LeaveTemporary(d, t)
		return
	}
	d.LeavesTemporary.Store(true)
	if d.Dst == j.Run.Job.TempDir {
		t.Err = fmt.Errorf("--temp-dir: %w", t.Err)
	}
	j.Failed(d, pairs.Dest, report.Event{Name: t.Name, IsDir: t.IsDir, Err: t.Err})
}

// SweepAgain checks again for the temporaries of running processes that the destination of d had, and reports whether
// a temporary remains there. If so, d must not get the modification time of its source, so that the next run looks
// for the temporary; see mayHoldTemporaries.
func SweepAgain(j *job.Worker, d *job.Dir) (left bool) {
	for _, t := range j.Run.Sweeper.Again(d.Dst, d.DestAttr, d.LiveTemporaries, func() { j.PrepareChange(d) }) {
		left = true
		if !j.Run.Job.Process().Made(t.Name) {
			reportTemporary(j, d, t)
		}
	}
	return left || d.LeavesTemporary.Load()
}
