package engine

import (
	"context"
	"sync"
	"sync/atomic"

	"psync/internal/engine/dirs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// maxClosing is how many directories may wait at a time for the answers of a host, beside those of the workers. Those of
// the source stay open meanwhile, but not more than the cache might keep open as well.
const maxClosing = 128

// A closer ends the work on directories of a remote destination, which waits for answers, while the workers go on with
// other directories. It uses workers of its own, which it starts when they are needed.
type closer struct {
	run     *run
	dirs    chan func(*worker)
	started atomic.Int32
	working sync.WaitGroup
}

// do has one of its workers call end. It returns false if too many are waiting for answers.
func (l *closer) do(end func(*worker)) bool {
	select {
	case l.dirs <- end:
		return true
	default:
	}
	if int(l.started.Add(1)) > min(maxClosing, l.run.cache.Limit) {
		l.started.Add(-1)
		return false
	}
	l.working.Go(func() {
		w := l.run.worker()
		for end(w); ; end(w) {
			var more bool
			if end, more = <-l.dirs; !more {
				return
			}
		}
	})
	return true
}

// stop ends the workers, which have nothing left to do.
func (l *closer) stop() {
	close(l.dirs)
	l.working.Wait()
}

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
		return setLast(ctx, w, c)
	}
	if w.run.closer.do(func(w *worker) { w.run.ack(c.claim, setLast(ctx, w, c)) }) {
		return result{shared: true}
	}
	return setLast(ctx, w, c)
}

// setLast sets the attributes of c.dir, unless work on its entries is left.
func setLast(ctx context.Context, w *worker, c *dirClaim) result {
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
