package walk

import (
	"cmp"
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

	notify func() // see Pool.Notify; nil: no one waits for that

	mu     sync.Mutex // guards what follows
	ready  sync.Cond  // signalled when tasks or offers grow or open reaches zero
	phase  int
	tasks  []queued[T] // of the phase
	later  []phase[T]  // in order
	open   int         // number of tasks that are in tasks, or claimed and not acknowledged
	offers []any       // the next offer to take comes first

	notifyAbove int // see Pool.NotifyAbove
}

// A phase holds tasks that wait until all tasks of earlier phases are acknowledged.
type phase[T any] struct {
	n     int
	tasks []queued[T]
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
	s.tasks = appendNew(s.tasks, tasks)
	s.open += len(tasks)
	s.notifyPutLocked()
	if len(tasks) == 1 {
		s.ready.Signal()
	} else {
		s.ready.Broadcast()
	}
}

// putLater adds tasks of the n-th phase, which must be later than the present one.
func (s *stack[T]) putLater(n int, tasks ...T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i, found := slices.BinarySearchFunc(s.later, n, func(p phase[T], n int) int { return cmp.Compare(p.n, n) })
	if !found {
		s.later = slices.Insert(s.later, i, phase[T]{n: n})
	}
	s.later[i].tasks = appendNew(s.later[i].tasks, tasks)
}

func appendNew[T any](to []queued[T], tasks []T) []queued[T] {
	for _, t := range tasks {
		to = append(to, queued[T]{t, 1})
	}
	return to
}

// claim waits for the newest task and returns a claim to it. While there is no task, it returns the offer that
// was taken least recently. It returns io.EOF once every task is acknowledged.
func (s *stack[T]) claim() (*Claim[T], any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for {
		for len(s.tasks) == 0 && len(s.offers) == 0 && s.open > 0 {
			s.waiting.Add(1)
			if s.notify != nil {
				s.notify()
			}
			s.ready.Wait()
			s.waiting.Add(-1)
		}
		switch {
		case s.open == 0 && len(s.later) == 0:
			return nil, nil, io.EOF
		case s.open == 0:
			s.phase, s.tasks, s.open = s.later[0].n, s.later[0].tasks, len(s.later[0].tasks)
			s.later = slices.Delete(s.later, 0, 1)
		case len(s.tasks) == 0:
			o := s.offers[0]
			s.offers = append(slices.Delete(s.offers, 0, 1), o) // the next caller takes another offer
			return nil, o, nil
		}
		if t, ok := s.takeLocked(); ok {
			return &Claim[T]{stack: s, task: t.task, attempt: t.attempt, phase: s.phase}, nil, nil
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

// hold returns a claim to no task.
func (s *stack[T]) hold() *Claim[T] {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open++
	return &Claim[T]{stack: s}
}

// unclaimed returns how many tasks of the present phase were put and not claimed.
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
	phase   int
}

// Task returns the task.
func (c *Claim[T]) Task() T { return c.task }

// Attempt returns how often the task has been delivered, this time included.
func (c *Claim[T]) Attempt() int { return c.attempt }

// Phase returns the phase of the task.
func (c *Claim[T]) Phase() int { return c.phase }

// Put adds tasks of the same phase found while working on this task. Other workers may claim them at once.
func (c *Claim[T]) Put(children ...T) { c.stack.put(children...) }

// PutLater adds tasks of the n-th phase, which must be later than that of this task.
func (c *Claim[T]) PutLater(n int, tasks ...T) { c.stack.putLater(n, tasks...) }

// Ack ends the claim. It must be called exactly once, after the last Put.
func (c *Claim[T]) Ack() {
	s := c.stack
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endLocked()
}
