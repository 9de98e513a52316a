package engine

import (
	"context"

	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// maxClosing is how many directories may wait at a time for the answers of a host, beside those of the workers. Those of
// the source stay open meanwhile, but not more than the cache might keep open as well.
const maxClosing = 128

// awaitsAnswers reports whether closing d asks a host to change it, or waits for what is being made in it.
func awaitsAnswers(d *job.Dir) bool {
	if d.Dst == nil || !d.FarDest || !d.Dst.Caps().Has(vfs.CanMkdirAsync) {
		return false
	}
	return d.Fresh() || d.TimesChanged.Load() || d.Attr.Mode != d.DestAttr.Mode || !d.Attr.Mtime.Equal(d.DestAttr.Mtime)
}

// closeDirectory ends the work on c.dir: all of its entries are done, or left to other tasks. If that has to wait for a
// host, another goroutine does it and acknowledges the claim.
func closeDirectory(ctx context.Context, w *worker, c *dirClaim) result {
	if ctx.Err() != nil || w.job.Run.Job.DryRun || !awaitsAnswers(c.dir) {
		return endClosing(ctx, w, c)
	}
	if w.run.closers.TryDo(func(w *worker) { w.run.ack(c.claim, endClosing(ctx, w, c)) }) {
		return result{shared: true}
	}
	return endClosing(ctx, w, c)
}

// endClosing is closeDirectory by a worker that may wait.
func endClosing(ctx context.Context, w *worker, c *dirClaim) result {
	d := c.dir
	c.empty.await(w, 0)
	_ = dirs.AwaitMade(w.job, d) // an error was reported
	if !d.Pending.Made() {
		return w.run.abandonDirectory(ctx, c)
	}
	open := pairs.Pair{Src: d.Src, Dst: d.Dst}
	d.Close() // for the worker that ends the last piece of work
	w.finishLast(ctx, d, open)
	return w.run.leaveDirectory(ctx, c)
}
