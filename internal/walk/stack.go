package walk

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// A stack hands out the newest task first. Going depth first keeps the frontier of a tree small;
// breadth first would hold a large part of its directories at once. Its methods are safe for
// concurrent use.
type stack[T any] struct {
	waiting atomic.Int32 // callers of claim; changed under mu

	deliver func(waiting int, task func(i int) T) Delivery // see Pool.DeliverBy; nil: the newest task is delivered once

	mu     sync.Mutex // guards what follows
	ready  sync.Cond  // signalled when tasks or offers grow or open reaches zero
	tasks  []queued[T]
	open   int   // number of tasks that are in tasks, or claimed and not acknowledged
	offers []any // the next offer to take comes first
}

// A queued task waits to be claimed.
type queued[T any] struct {
	task    T
	attempt int // as in Claim
}

// A Delivery says what a claim gets where tasks may be lost, repeated or reordered.
type Delivery struct {
	Index int  // which of the waiting tasks is delivered; the oldest is 0
	Lost  bool // the task is not delivered after all
	Again bool // the task will be delivered once more at some later time
}

// newStack returns an empty stack.
func newStack[T any]() *stack[T] {
	s := new(stack[T])
	s.ready.L = &s.mu
	return s
}

// put adds tasks that no claim leads to: the roots of a run.
func (s *stack[T]) put(tasks ...T) {
	if len(tasks) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range tasks {
		s.tasks = append(s.tasks, queued[T]{t, 1})
	}
	s.open += len(tasks)
	if len(tasks) == 1 {
		s.ready.Signal()
	} else {
		s.ready.Broadcast()
	}
}

// claim waits for the newest task and returns a claim to it. While there is no task, it returns the offer that
// was taken least recently. It returns io.EOF once every task is acknowledged, and the context's cause once ctx
// is done.
func (s *stack[T]) claim(ctx context.Context) (*Claim[T], any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.tasks) == 0 && len(s.offers) == 0 && s.open > 0 && ctx.Err() == nil {
			s.waitLocked(ctx)
		}
		switch {
		case ctx.Err() != nil:
			return nil, nil, context.Cause(ctx)
		case s.open == 0:
			return nil, nil, io.EOF
		case len(s.tasks) == 0:
			o := s.offers[0]
			s.offers = append(slices.Delete(s.offers, 0, 1), o) // the next caller takes another offer
			return nil, o, nil
		}
		if t, ok := s.takeLocked(); ok {
			return &Claim[T]{stack: s, task: t.task, attempt: t.attempt}, nil, nil
		}
	}
}

// takeLocked takes the newest task, of which there is one, unless another is to be delivered or it is to get lost.
func (s *stack[T]) takeLocked() (t queued[T], ok bool) {
	d := Delivery{Index: len(s.tasks) - 1}
	if s.deliver != nil {
		d = s.deliver(len(s.tasks), func(i int) T { return s.tasks[i].task })
	}
	t = s.tasks[d.Index]
	s.tasks = slices.Delete(s.tasks, d.Index, d.Index+1) // which also releases the memory that the task refers to
	if d.Again {
		s.tasks = append(s.tasks, queued[T]{t.task, t.attempt + 1})
		s.open++
	}
	if d.Lost {
		s.endLocked()
	}
	return t, !d.Lost
}

// endLocked records that a task is done.
func (s *stack[T]) endLocked() {
	if s.open--; s.open == 0 {
		s.ready.Broadcast()
	}
}

// waitLocked waits for a signal or for the end of ctx.
func (s *stack[T]) waitLocked(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ready.Broadcast()
	})
	defer stop()
	s.waiting.Add(1)
	s.ready.Wait()
	s.waiting.Add(-1)
}

// hold returns a claim to no task.
func (s *stack[T]) hold() *Claim[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	return &Claim[T]{stack: s}
}

// unclaimed returns how many tasks were put and not claimed.
func (s *stack[T]) unclaimed() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.tasks)
}

// offer makes claim return o to waiting callers until o is withdrawn, to several at a time and to some more
// than once. It wakes want callers.
func (s *stack[T]) offer(o any, want int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.offers, o) {
		return
	}
	s.offers = append(s.offers, o)
	for range min(want, int(s.waiting.Load())) {
		s.ready.Signal()
	}
}

// withdraw ends an offer. It ignores an offer that was never made or is already withdrawn.
func (s *stack[T]) withdraw(o any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.offers, o); i >= 0 {
		s.offers = slices.Delete(s.offers, i, i+1)
	}
}

// A Claim is a task that a worker has claimed.
type Claim[T any] struct {
	stack   *stack[T]
	task    T
	attempt int
}

// Task returns the task.
func (c *Claim[T]) Task() T { return c.task }

// Attempt returns how often the task has been delivered, this time included.
func (c *Claim[T]) Attempt() int { return c.attempt }

// Put adds tasks found while working on this task. Other workers may claim them at once.
func (c *Claim[T]) Put(children ...T) { c.stack.put(children...) }

// Ack ends the claim. It must be called exactly once, after the last Put.
func (c *Claim[T]) Ack() {
	s := c.stack
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLocked()
}
