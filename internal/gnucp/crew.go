package gnucp

import (
	"context"
	"sync"

	"psync/internal/localfs"
	"psync/internal/queue"
)

// A crew are the workers that copy at the same time, and what waits for them.
type crew struct {
	*run
	ctx     context.Context
	queue   queue.Queue
	members sync.WaitGroup
	root    queue.Claim // of who hires the crew: until it is acknowledged, more may come

	mu    sync.Mutex // guards what follows
	tasks map[int]func(w *worker, c queue.Claim)
	last  int // the number of the newest task
}

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
	c := &crew{run: w.run, ctx: ctx, queue: queue.NewStack(), tasks: make(map[int]func(*worker, queue.Claim))}
	_ = c.queue.Put(queue.Task{})                            // a queue in memory takes all,
	c.root, _, _ = c.queue.Claim(context.WithoutCancel(ctx)) // and has this one
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
	_ = c.root.Ack()
	c.work(w)
	c.members.Wait()
}

// put has a task done.
func (c *crew) put(t queue.Task) { _ = c.root.Put(t) }

// task returns the task to copy what is in a directory.
func (c *crew) task(d *directory) queue.Task {
	return c.add(func(w *worker, claim queue.Claim) { c.copy(c.ctx, w, d, claim) })
}

// add returns a task that stands for do. It has a number of its own: paths could be the same, of
// one directory as a source and as a destination, or of names that a listing has twice.
func (c *crew) add(do func(*worker, queue.Claim)) queue.Task {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	c.tasks[c.last] = do
	return queue.Task{Source: c.last}
}

// take returns what a task stands for, and forgets it.
func (c *crew) take(t queue.Task) func(*worker, queue.Claim) {
	c.mu.Lock()
	defer c.mu.Unlock()
	do := c.tasks[t.Source]
	delete(c.tasks, t.Source)
	return do
}

// work deals with tasks, and with directories that others deal with, until none is left.
func (c *crew) work(w *worker) {
	for {
		claim, offer, err := c.queue.Claim(c.ctx)
		switch {
		case err != nil:
			return
		case claim == nil:
			c.takeRuns(c.ctx, w, offer.(*directory))
		default:
			c.take(claim.Task())(w, claim)
			_ = claim.Ack() // a queue in memory does not fail
		}
	}
}
