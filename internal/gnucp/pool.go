package gnucp

import (
	"context"
	"runtime"
	"sync"

	"psync/internal/gnucp/entry"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A pool is the set of workers that copy at the same time.
type pool struct {
	*walk.Pool[task, *worker]
	ctx     context.Context
	more    *walk.Claim[task] // until it is acknowledged, there may be more tasks
	running sync.WaitGroup
}

// The default numbers of workers.
const (
	threadsNear = 16
	threadsFar  = 64 // the latencies of a network overlap
)

// pool returns the running pool, and starts it if necessary. If the options do not set the number of workers,
// the number depends on the volumes of the first operand.
func (w *worker) pool(ctx context.Context, it *item) *pool {
	if p := w.atWork.Load(); p != nil {
		return p
	}
	first, later := w.Threads, w.Threads
	if w.Threads == 0 {
		first, later = min(runtime.GOMAXPROCS(0), threadsNear), threadsNear
		if w.isFar(it.Src.String()) || w.isFar(it.Dst.String()) {
			first, later = threadsFar, threadsFar
		}
	}
	later = affordable(later)
	size := walk.NewSize(min(first, later)-1, later) // w itself goes through the operands
	size.GrowTo(later - 1)
	p := &pool{ctx: ctx}
	p.Pool = walk.NewPool(size, w.run.worker, func(_ context.Context, w *worker, c *walk.Claim[task]) {
		c.Task()(w, c)
		c.Ack()
	})
	p.more = p.Hold()
	p.running.Go(func() { p.Run(ctx) })
	w.atWork.Store(p)
	return p
}

// isFar reports whether a path, or, if the path cannot be opened, its directory is on a network file system.
func (r *run) isFar(path string) bool {
	dir, err := r.Host.Open(path, vfs.OpenOptions{Noatime: true})
	if err != nil {
		dir, err = r.Host.Open(entry.DirName(path), vfs.OpenOptions{Noatime: true})
	}
	if err != nil {
		return false
	}
	defer dir.Close()
	v, err := dir.Statfs()
	return err == nil && v.Network
}

// drain waits until all tasks in the pool are done, and stops the pool.
func (w *worker) drain() {
	p := w.atWork.Load()
	if p == nil {
		return
	}
	p.more.Ack()
	p.Size.Add(1)
	p.running.Wait()
	w.atWork.Store(nil)
}

// A task is executed by the worker that claims it.
type task func(w *worker, c *walk.Claim[task])
