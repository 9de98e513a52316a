package engine

import (
	"context"
	"sync"

	"psync/internal/engine/job"
	"psync/internal/engine/steering"
)

// work runs the workers until no task is left or ctx is done.
func (r *run) work(ctx context.Context) {
	if r.job.Job.Auto {
		ctx, stop := context.WithCancel(ctx)
		var running sync.WaitGroup
		running.Go(func() { steering.Steer(ctx, r.job.Job.Workers, r.job.Job.Stats, r.pool.Idle) })
		defer running.Wait()
		defer stop()
	}
	defer r.closers.Finish()
	r.pool.Run(ctx)
}

// do carries out a task. Once ctx has ended, it only does what must be done nevertheless.
func (r *run) do(ctx context.Context, w *worker, c *claim) result {
	t := c.Task()
	if c.Attempt() > 1 {
		t = t.again()
	}
	switch {
	case t.Kind > job.Remove:
		return r.doAlone(ctx, w, c)
	case ctx.Err() != nil && t.Kind == job.Remove:
		w.endRemoval(ctx, t.removal)
		return result{left: true, unseen: true}
	case ctx.Err() != nil:
		return result{left: true, unseen: t.Kind == job.Copy} // others were looked into
	case t.Kind == job.Remove:
		return w.removeDirectory(ctx, c)
	case t.Kind == job.Clear && r.approve() != nil:
		return result{left: true}
	case t.Dirs == nil:
		return r.stack.copy(ctx, w, c)
	}
	return w.directory(ctx, c, t.Task)
}

// doAlone carries out a task of which other workers do no part.
func (r *run) doAlone(ctx context.Context, w *worker, c *claim) result {
	t := c.Task()
	switch t.Kind {
	case job.Link:
		w.link(ctx, c)
		return resultAt(ctx)
	case job.Place:
		ctx = r.inHand(ctx)
		w.entries.PutDelayedInPlace(ctx, t.dir)
		return resultAt(ctx)
	case job.End:
		r.endEntries(ctx, w)
	case job.Apply:
		switch {
		case t.backup != nil:
			applyToBackup(w.job, t.backup)
		case r.isSuperseded(t.deferral):
			return result{left: true}
		default:
			applyDeferred(w.job, t.deferral)
		}
	case job.Sync:
		r.syncAndRemoveSources(ctx, w)
	case job.RemoveCopied:
		return result{left: !w.entries.RemoveCopied(r.inHand(ctx), t.copied)}
	}
	return result{}
}
