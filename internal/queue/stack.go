package queue

import (
	"context"
	"io"
	"sync"
)

// A Stack is a [Queue] in memory that hands out the newest task first. Going
// depth first keeps the frontier of a tree small; breadth first would hold a
// large part of its directories at once.
type Stack struct {
	mu    sync.Mutex // guards what follows
	ready sync.Cond  // signalled when tasks grow or open reaches zero
	tasks []Task
	open  int // queued plus claimed
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

// Claim waits for the newest task; see [Queue].
func (s *Stack) Claim(ctx context.Context) (Claim, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.tasks) == 0 && s.open > 0 && ctx.Err() == nil {
		s.waitLocked(ctx)
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if s.open == 0 {
		return nil, io.EOF
	}
	last := len(s.tasks) - 1
	t := s.tasks[last]
	s.tasks[last] = Task{} // release the path
	s.tasks = s.tasks[:last]
	return &claim{stack: s, task: t}, nil
}

// waitLocked waits for a signal or for the end of ctx.
func (s *Stack) waitLocked(ctx context.Context) {
	stop := context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.ready.Broadcast()
	})
	defer stop()
	s.ready.Wait()
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
