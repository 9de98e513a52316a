package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// Workers is how many workers a run has. That may change while it goes on.
type Workers struct {
	most    int
	n       atomic.Int32
	mu      sync.Mutex    // guards what follows, and changes of n
	changed chan struct{} // closed with the next change
}

// NewWorkers returns n workers, which may become most.
func NewWorkers(n, most int) *Workers {
	ws := &Workers{most: max(most, 1), changed: make(chan struct{})}
	ws.n.Store(int32(ws.within(n)))
	return ws
}

func (ws *Workers) within(n int) int { return min(max(n, 1), ws.most) }

// Set changes the number to n, or to the next one that is possible. Workers that are too
// many go on until what they have in hand is done.
func (ws *Workers) Set(n int) { ws.set(func(int) int { return n }) }

// Double changes the number to twice what it is.
func (ws *Workers) Double() { ws.set(func(n int) int { return 2 * n }) }

// Halve changes the number to half of what it is.
func (ws *Workers) Halve() { ws.set(func(n int) int { return n / 2 }) }

func (ws *Workers) set(f func(int) int) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	n := ws.within(f(ws.Get()))
	if n == ws.Get() {
		return
	}
	ws.n.Store(int32(n))
	close(ws.changed)
	ws.changed = make(chan struct{})
}

// Get returns the number.
func (ws *Workers) Get() int { return int(ws.n.Load()) }

// get returns the number, and what is closed when there is another one.
func (ws *Workers) get() (n int, changed <-chan struct{}) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return ws.Get(), ws.changed
}

// A crew is those workers who are at work.
type crew struct {
	n    atomic.Int32 // changed under mu
	mu   sync.Mutex   // guards what follows
	free []*worker    // who have left
	over bool         // nothing is left to do
}

// runWorkers lets workers deal with tasks until there are none left or ctx is done.
func (r *run) runWorkers(ctx context.Context) {
	if r.Auto {
		ctx, stop := context.WithCancel(ctx)
		var steering sync.WaitGroup
		steering.Go(func() { r.steer(ctx) })
		defer steering.Wait()
		defer stop()
	}
	var c crew
	var workers sync.WaitGroup
	over := make(chan struct{})
	workers.Go(func() {
		for {
			want, changed := r.Workers.get()
			for w := c.join(r, want); w != nil; w = c.join(r, want) {
				workers.Go(func() {
					if r.work(ctx, w, &c) {
						close(over)
					}
				})
			}
			select {
			case <-changed:
			case <-over:
				return
			}
		}
	})
	workers.Wait()
}

// join returns a worker to start with, or nil if there are enough.
func (c *crew) join(r *run, want int) *worker {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.over || int(c.n.Load()) >= want {
		return nil
	}
	c.n.Add(1)
	if last := len(c.free) - 1; last >= 0 {
		w := c.free[last]
		c.free = c.free[:last]
		return w
	}
	w := r.worker()
	w.crew = c
	return w
}

// tooMany reports whether somebody is to leave, because there are more than want.
func (c *crew) tooMany(want int) bool { return int(c.n.Load()) > want }

// leave reports whether w is to leave, because there are more than want.
func (c *crew) leave(w *worker, want int) bool {
	if !c.tooMany(want) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.tooMany(want) {
		return false // others have left
	}
	c.n.Add(-1)
	c.free = append(c.free, w)
	return true
}

// end says that nothing is left to do. It reports whether nobody has said so before.
func (c *crew) end() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	first := !c.over
	c.over = true
	return first
}

// work has w deal with directories until there are none left or ctx is done, or w is not
// needed any more. It reports whether w is the first to see the end.
func (r *run) work(ctx context.Context, w *worker, crew *crew) (first bool) {
	for !crew.leave(w, r.Workers.Get()) {
		c, offer, err := r.tasks.Claim(ctx)
		switch {
		case err != nil:
			return crew.end()
		case c == nil:
			w.help(ctx, offer)
		case c.Task().Kind == removeTask:
			w.removeDirectory(ctx, c)
		default:
			w.directory(ctx, c)
		}
		w.doing.Clear()
	}
	return false
}
