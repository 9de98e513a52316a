package engine

import (
	"context"

	"psync/internal/content"
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

// shareRanges offers ranges of the current file to idle workers until done is called.
func (w *worker) shareRanges(r *content.Ranges) (done func()) {
	at, _ := w.job.Current.Get()
	return w.run.pool.OfferHelp(w.job.Run.Job.Streams-1, func(ctx context.Context, w *worker) {
		w.job.Current.Set(at)
		w.job.Copier.Help(w.run.inHand(ctx), r)
	})
}
