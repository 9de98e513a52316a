package walk

import (
	"context"
	"sync"
	"sync/atomic"

	"psync/internal/growstack"
)

// A Pool runs workers of type W that process tasks of type T, the newest first.
type Pool[T, W any] struct {
	// Size is the number of workers.
	Size *Size
	// AlwaysShare makes workers share everything that can be shared, whether or not that pays. Only tests set it.
	AlwaysShare bool
	// Always makes workers process tasks even after the context of Run is done. Otherwise such tasks are acknowledged,
	// and nothing else happens to them.
	Always bool
	// Rest, unless it is nil, is called with a worker that has finished a task or an offer.
	Rest func(w W)

	newWorker func() W
	do        func(ctx context.Context, w W, c *Claim[T])
	tasks     *stack[T]

	n     atomic.Int32 // workers at work; changed under mu
	mu    sync.Mutex   // guards what follows
	spare []W          // workers that stopped because there were too many
	over  bool         // nothing is left to do
}

// An Offer is a part of a claimed task that other workers may help with. Offers are compared by ==.
type Offer[W any] interface {
	// Help makes w do a part of the work.
	Help(ctx context.Context, w W)
}

// NewPool returns a pool without tasks. The pool gets each worker from newWorker. Workers process tasks by
// calling do, which calls Ack.
func NewPool[T, W any](size *Size, newWorker func() W, do func(ctx context.Context, w W, c *Claim[T])) *Pool[T, W] {
	return &Pool[T, W]{Size: size, newWorker: newWorker, do: do, tasks: newStack[T]()}
}

// DeliverBy makes deliver decide what each claim gets, as a queue that several hosts share might. Its arguments are the
// number of waiting tasks, which is at least one, and a function that returns one of them. It must not call methods of
// the pool. Only tests call DeliverBy, before Run.
func (p *Pool[T, W]) DeliverBy(deliver func(waiting int, task func(i int) T) Delivery) {
	p.tasks.deliver = deliver
}

// Put adds tasks that no claim leads to: the roots of a run.
func (p *Pool[T, W]) Put(tasks ...T) { p.tasks.put(tasks...) }

// PutLater adds tasks of the n-th phase. Workers process them when all tasks of earlier phases are acknowledged. Tasks
// that Put adds before Run have phase 0. Callers that do not work on a claimed task must know that the phase has not begun.
func (p *Pool[T, W]) PutLater(n int, tasks ...T) { p.tasks.putLater(n, tasks...) }

// Hold returns a claim to no task. Until it is acknowledged, there may be more tasks.
func (p *Pool[T, W]) Hold() *Claim[T] { return p.tasks.hold() }

// Idle returns how many workers are waiting for a task.
func (p *Pool[T, W]) Idle() int { return int(p.tasks.waiting.Load()) }

// Unclaimed returns how many tasks of the present phase no worker has claimed.
func (p *Pool[T, W]) Unclaimed() int { return p.tasks.unclaimed() }

// Offer lets workers that wait for a task help with o until o is withdrawn. Several workers may help at a time,
// and some more than once. Offer wakes want workers.
func (p *Pool[T, W]) Offer(o Offer[W], want int) { p.tasks.offer(o, want) }

// Withdraw ends an offer. It ignores an offer that was never made or is already withdrawn.
func (p *Pool[T, W]) Withdraw(o Offer[W]) { p.tasks.withdraw(o) }

// OfferHelp is Offer for work that at most most workers help with, each once, and that is done when one of them returns.
func (p *Pool[T, W]) OfferHelp(most int, help func(ctx context.Context, w W)) (withdraw func()) {
	o := &limitedOffer[W]{help: help}
	o.withdraw = func() { p.Withdraw(o) }
	o.free.Store(int32(most))
	p.Offer(o, most)
	return o.withdraw
}

type limitedOffer[W any] struct {
	free     atomic.Int32 // how many more may help
	help     func(ctx context.Context, w W)
	withdraw func()
}

func (o *limitedOffer[W]) Help(ctx context.Context, w W) {
	free := o.free.Add(-1)
	if free <= 0 {
		o.withdraw()
	}
	if free >= 0 {
		o.help(ctx, w)
		o.withdraw() // nothing is left
	}
}

// Run runs workers that process tasks until no task is left. It is called once.
func (p *Pool[T, W]) Run(ctx context.Context) {
	var workers sync.WaitGroup
	defer workers.Wait()
	if p.Size.mayGrow() {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		workers.Go(func() { p.grow(ctx) })
	}
	over := make(chan struct{})
	for {
		want, changed := p.Size.get()
		for w, ok := p.start(want); ok; w, ok = p.start(want) {
			workers.Go(func() {
				growstack.Grow()
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

// start returns a worker to start, unless want workers are already running.
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

// tooMany reports whether a worker should stop when it can.
func (p *Pool[T, W]) tooMany() bool { return int(p.n.Load()) > p.Size.Get() }

// stop reports whether w must stop because there are too many workers.
func (p *Pool[T, W]) stop(w W) bool {
	if !p.tooMany() {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.tooMany() {
		return false // other workers have stopped
	}
	p.n.Add(-1)
	p.spare = append(p.spare, w)
	return true
}

// end records that nothing is left to do. It reports whether w is the first worker to call it.
func (p *Pool[T, W]) end(w W) (first bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n.Add(-1)
	p.spare = append(p.spare, w)
	first = !p.over
	p.over = true
	return first
}

// work makes w process tasks until no task is left, or there are too many workers. It reports whether w is the first
// worker to see the end.
func (p *Pool[T, W]) work(ctx context.Context, w W) (first bool) {
	for !p.stop(w) {
		c, offer, err := p.tasks.claim()
		switch {
		case err != nil:
			return p.end(w)
		case c == nil:
			offer.(Offer[W]).Help(ctx, w)
		case ctx.Err() != nil && !p.Always:
			c.Ack()
		default:
			p.do(ctx, w, c)
		}
		if p.Rest != nil {
			p.Rest(w)
		}
	}
	return false
}
