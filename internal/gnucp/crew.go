package gnucp

import (
	"context"
	"sync"

	"psync/internal/localfs"
	"psync/internal/walk"
)

// A crew are the workers that copy at the same time, and what waits for them.
type crew struct {
	*run
	ctx     context.Context
	tasks   *walk.Stack[task]
	members sync.WaitGroup
	root    *walk.Claim[task] // of who hires the crew: until it is acknowledged, more may come
}

// A task is to be done by whoever claims it.
type task func(w *worker, c *walk.Claim[task])

// How many workers there are, if nobody says so.
const (
	threadsNear = 16
	threadsFar  = 64 // the latencies of a network overlap
)

// crew returns the crew at work, hired at need. If nobody has said how many it takes, it
// depends on the volumes that the first operand is on.
func (w *worker) crew(ctx context.Context, it *item) *crew {
	if w.hired != nil {
		return w.hired
	}
	c := &crew{run: w.run, ctx: ctx, tasks: walk.NewStack[task]()}
	c.tasks.Put(nil)
	c.root, _, _ = c.tasks.Claim(context.WithoutCancel(ctx)) // which has this one
	threads := w.Threads
	if threads == 0 {
		threads = threadsNear
		if isFar(it.src.String()) || isFar(it.dst.String()) {
			threads = threadsFar
		}
	}
	for range affordable(threads) - 1 {
		c.members.Go(func() { c.work(w.run.worker()) })
	}
	w.hired = c
	return c
}

// isFar reports whether a path, or else the directory that it is in, is on a network file system.
func isFar(path string) bool {
	at, err := localfs.Cwd.Peek(path)
	if err != nil {
		at, err = localfs.Cwd.Peek(dirName(path))
	}
	if err != nil {
		return false
	}
	defer at.Close()
	v, err := at.Statfs()
	return err == nil && v.Network
}

// drain helps the crew until all is done, and dismisses it.
func (w *worker) drain() {
	c := w.hired
	if c == nil {
		return
	}
	w.hired = nil
	c.root.Ack()
	c.work(w)
	c.members.Wait()
}

// put has a task done.
func (c *crew) put(t task) { c.root.Put(t) }

// task returns the task to copy what is in a directory.
func (c *crew) task(d *directory) task {
	return func(w *worker, claim *walk.Claim[task]) { c.copy(c.ctx, w, d, claim) }
}

// work deals with tasks, and with directories that others deal with, until none is left.
func (c *crew) work(w *worker) {
	for {
		claim, offer, err := c.tasks.Claim(c.ctx)
		switch {
		case err != nil:
			return
		case claim == nil:
			c.takeRuns(c.ctx, w, offer.(*directory))
		default:
			claim.Task()(w, claim)
			claim.Ack()
		}
	}
}
