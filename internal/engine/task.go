package engine

import (
	"context"
	"sync"

	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/walk"
)

// A task is to deal with one directory. It holds no open handle.
type task struct {
	job.Task
	removal *mirror.Removal // what is to be removed; Path is "" then
}

type claim = walk.Claim[task]

// work runs the workers until no task is left or ctx is done.
func (r *run) work(ctx context.Context) {
	if r.Auto {
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
	if c.Task().Kind == job.Remove {
		w.removeDirectory(ctx, c)
	} else {
		w.directory(ctx, c)
	}
}
