package engine

import (
	"context"
	"sync"

	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/walk"
)

// A task is to process one directory. It holds no open handle.
type task struct {
	job.Task
	removal *mirror.Removal // what to remove; Path is then ""
}

// deliverBy returns a function for [walk.Pool.DeliverBy] that lets deliver decide. Tasks that remove something are
// delivered exactly once: queues that hosts share never hold them, because anyone able to add such a task could have
// anything removed.
func deliverBy(deliver func(waiting int) walk.Delivery) func(int, func(int) task) walk.Delivery {
	return func(waiting int, task func(int) task) walk.Delivery {
		d := deliver(waiting)
		if task(d.Index).Kind == job.Remove {
			d.Lost, d.Again = false, false
		}
		return d
	}
}

// again returns the task for a repeated delivery. By then the destination may hold anything.
func (t task) again() task {
	t.New, t.DefaultACL, t.MadeIn = false, false, nil
	t.Dirs.Reenter()
	return t
}

type claim = walk.Claim[task]

// work runs the workers until no task is left or ctx is done.
func (r *run) work(ctx context.Context) {
	if r.job.Job.Auto {
		ctx, stop := context.WithCancel(ctx)
		var steering sync.WaitGroup
		steering.Go(func() { r.steer(ctx) })
		defer steering.Wait()
		defer stop()
	}
	r.pool.Run(ctx)
}

// do carries out a task.
func (r *run) do(ctx context.Context, w *worker, c *claim) {
	t := c.Task()
	if c.Attempt() > 1 {
		t = t.again()
	}
	if t.Kind == job.Remove {
		w.removeDirectory(ctx, c)
	} else {
		w.directory(ctx, c, t.Task)
	}
}
