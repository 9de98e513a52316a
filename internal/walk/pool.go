package walk

import (
	"context"
	"sync"
	"sync/atomic"
)

// A Pool runs workers of type W that process tasks of type T, the newest first.
type Pool[T, W any] struct {
	// Size is how many workers there are.
	Size *Size
	// AlwaysShare makes workers share everything that can be shared, whether or not that pays. Only tests set it.
	AlwaysShare bool

	// Rest, unless it is nil, is called with a worker that is done with a task or an offer.
	Rest func(w W)

	newWorker func() W
	do        func(ctx context.Context, w W, c *Claim[T])
	tasks     *stack[T]

	n     atomic.Int32 // workers at work; changed under mu
	mu    sync.Mutex   // guards what follows
	spare []W          // workers that were too many
	over  bool         // nothing is left to do
}

// An Offer is a part of a task in hand that others may help with. Offers are compared by ==.
type Offer[W any] interface {
	// Help has w do some of it.
	Help(ctx context.Context, w W)
}

// NewPool returns a pool without tasks. It gets each of its workers from newWorker, and has them do
// tasks by do, which calls Ack.
func NewPool[T, W any](size *Size, newWorker func() W, do func(ctx context.Context, w W, c *Claim[T])) *Pool[T, W] {
	return &Pool[T, W]{Size: size, newWorker: newWorker, do: do, tasks: newStack[T]()}
}

// Put adds tasks that no claim leads to: the roots of a run.
func (p *Pool[T, W]) Put(tasks ...T) { p.tasks.put(tasks...) }

// Hold returns a claim to no task. Until it is acknowledged, there may be more tasks.
func (p *Pool[T, W]) Hold() *Claim[T] { return p.tasks.hold() }

// Idle returns how many workers wait for a task.
func (p *Pool[T, W]) Idle() int { return int(p.tasks.waiting.Load()) }

// Offer lets workers that wait for a task help with o, several at a time and some more than
// once, until it is withdrawn. It wakes want of them.
func (p *Pool[T, W]) Offer(o Offer[W], want int) { p.tasks.offer(o, want) }

// Withdraw ends an offer. One that is not made, or not any more, is ignored.
func (p *Pool[T, W]) Withdraw(o Offer[W]) { p.tasks.withdraw(o) }

// Run has workers deal with tasks until there are none left or ctx is done.
func (p *Pool[T, W]) Run(ctx context.Context) {
	p.mu.Lock()
	p.over = false
	p.mu.Unlock()
	var workers sync.WaitGroup
	defer workers.Wait()
	over := make(chan struct{})
	for {
		want, changed := p.Size.get()
		for w, ok := p.start(want); ok; w, ok = p.start(want) {
			workers.Go(func() {
				if p.work(ctx, w) {
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
}

// start returns a worker to start, unless there are want of them.
func (p *Pool[T, W]) start(want int) (w W, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || int(p.n.Load()) >= want {
		return w, false
	}
	p.n.Add(1)
	if last := len(p.spare) - 1; last >= 0 {
		w = p.spare[last]
		p.spare = p.spare[:last]
		return w, true
	}
	return p.newWorker(), true
}

// tooMany reports whether a worker is to stop when it can.
func (p *Pool[T, W]) tooMany() bool { return int(p.n.Load()) > p.Size.Get() }

// stop reports whether w is to stop, because there are too many workers.
func (p *Pool[T, W]) stop(w W) bool {
	if !p.tooMany() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.tooMany() {
		return false // others have stopped
	}
	p.n.Add(-1)
	p.spare = append(p.spare, w)
	return true
}

// end says that nothing is left to do. It reports whether w is the first to say so.
func (p *Pool[T, W]) end(w W) (first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n.Add(-1)
	p.spare = append(p.spare, w)
	first = !p.over
	p.over = true
	return first
}

// work has w deal with tasks until there are none left or ctx is done, or w is too many. It
// reports whether w is the first to see the end.
func (p *Pool[T, W]) work(ctx context.Context, w W) (first bool) {
	for !p.stop(w) {
		c, offer, err := p.tasks.claim(ctx)
		switch {
		case err != nil:
			return p.end(w)
		case c == nil:
			offer.(Offer[W]).Help(ctx, w)
		default:
			p.do(ctx, w, c)
		}
		if p.Rest != nil {
			p.Rest(w)
		}
	}
	return false
}
