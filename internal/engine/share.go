package engine

import (
	"context"
	"sync/atomic"

	"psync/internal/content"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/walk"
)

type sharedEntries = walk.SharedEntries[task, *worker, vfs.Entry]

const (
	// minLocal and minFar are how many entries make it worthwhile to wake another worker.
	minLocal, minFar = 8, 2
	// maxLocal is how many others may help with a local directory: the system lets only one at a time make or remove
	// an entry in it.
	maxLocal = 7
)

// shareEntries gives c.dir a list of entries to share for one part of the work in it.
func (w *worker) shareEntries(c *dirClaim, list *sharedEntries) {
	list.Init(w.run.pool, c)
	c.list, c.dir.Sharing = list, list
}

// share copies or removes entries of c.dir together with idle workers. It returns the cause of ctx if ctx has ended.
func (w *worker) share(ctx context.Context, c *dirClaim, entries []vfs.Entry) error {
	limitHelpers(c, w.job.Run.IsFar(c.dir))
	c.list.Share(ctx, w, entries)
	return context.Cause(ctx)
}

// limitHelpers says how many entries are shared, and with how many workers.
func limitHelpers(c *dirClaim, far bool) {
	if c.list.Least != 0 {
		return // these are not the first
	}
	c.list.Least, c.list.Most = minLocal, maxLocal
	if far {
		c.list.Least, c.list.Most, c.list.Slow = minFar, 0, true
	}
}

// sharedRanges are the ranges of a file that other workers may help with.
type sharedRanges struct {
	*content.Ranges
	at   report.Position // of the file
	free atomic.Int32    // how many more may help
}

// shareRanges offers ranges of the current file to idle workers until done is called.
func (w *worker) shareRanges(r *content.Ranges) (done func()) {
	o := &sharedRanges{Ranges: r}
	o.at, _ = w.job.Current.Get()
	o.free.Store(int32(w.job.Run.Job.Streams - 1))
	w.run.pool.Offer(o, w.job.Run.Job.Streams-1)
	return func() { w.run.pool.Withdraw(o) }
}

// Help lets w help with the ranges of a file.
func (o *sharedRanges) Help(ctx context.Context, w *worker) {
	free := o.free.Add(-1)
	if free <= 0 {
		w.run.pool.Withdraw(o)
	}
	if free >= 0 {
		w.job.Current.Set(o.at)
		w.job.Copier.Help(w.run.inHand(ctx), o.Ranges)
		w.run.pool.Withdraw(o) // no range is left
	}
}
