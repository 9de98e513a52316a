package queue

import (
	"context"
	"io"
	"slices"
	"sync"
	"sync/atomic"
)

// A Stack is a [Queue] in memory that hands out the newest task first. Going
// depth first keeps the frontier of a tree small; breadth first would hold a
// large part of its directories at once.
type Stack struct {
	waiting atomic.Int32 // callers of Claim; changed under mu

	mu     sync.Mutex // guards what follows
	ready  sync.Cond  // signalled when tasks or offers grow or open reaches zero
	tasks  []Task
	open   int     // queued plus claimed
	offers []Offer // the one to be taken next comes first
}

// NewStack returns an empty stack.
func NewStack() *Stack {
	s := new(Stack)
	s.ready.L = &s.mu
	return s
}

// Put adds tasks.
func (s *Stack) Put(tasks ...Task) error {
	if len(tasks) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tasks = append(s.tasks, tasks...)
	s.open += len(tasks)
	if len(tasks) == 1 {
		s.ready.Signal()
	} else {
		s.ready.Broadcast()
	}
	return nil
}

// Claim waits for the newest task, or the offer not taken for longest; see [Queue].
func (s *Stack) Claim(ctx context.Context) (Claim, Offer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.tasks) == 0 && len(s.offers) == 0 && s.open > 0 && ctx.Err() == nil {
		s.waitLocked(ctx)
	}
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	if s.open == 0 {
		return nil, nil, io.EOF
	}
	if len(s.tasks) == 0 {
		o := s.offers[0]
		s.offers = append(slices.Delete(s.offers, 0, 1), o) // the next one takes another
		return nil, o, nil
	}
	last := len(s.tasks) - 1
	t := s.tasks[last]
	s.tasks[last] = Task{} // release the path
	s.tasks = s.tasks[:last]
	return &claim{stack: s, task: t}, nil, nil
}

// waitLocked waits for a signal or for the end of ctx.
func (s *Stack) waitLocked(ctx context.Context) {
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

// Idle returns how many wait in Claim.
func (s *Stack) Idle() int { return int(s.waiting.Load()) }

// Offer offers o; see [Queue].
func (s *Stack) Offer(o Offer, want int) {
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

// Withdraw ends an offer.
func (s *Stack) Withdraw(o Offer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.Index(s.offers, o); i >= 0 {
		s.offers = slices.Delete(s.offers, i, i+1)
	}
}

type claim struct {
	stack *Stack
	task  Task
}

func (c *claim) Task() Task                 { return c.task }
func (c *claim) Put(children ...Task) error { return c.stack.Put(children...) }

func (c *claim) Ack() error {
	s := c.stack
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open--
	if s.open == 0 {
		s.ready.Broadcast()
	}
	return nil
}
