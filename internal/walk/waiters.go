package walk

import (
	"sync"
	"sync/atomic"
)

// Waiters are workers beside those of a [Pool], for work that only waits, as for the answers of a host. They start when
// they are needed.
type Waiters[W any] struct {
	most      int
	newWorker func() W
	work      chan func(W)
	started   atomic.Int32
	running   sync.WaitGroup
}

// NewWaiters returns at most that many workers, each made by newWorker.
func NewWaiters[W any](most int, newWorker func() W) *Waiters[W] {
	return &Waiters[W]{most: most, newWorker: newWorker, work: make(chan func(W))}
}

// TryDo has a worker call f. It returns false if all of them are at work.
func (s *Waiters[W]) TryDo(f func(W)) bool {
	select {
	case s.work <- f:
		return true
	default:
	}
	if int(s.started.Add(1)) > s.most {
		s.started.Add(-1)
		return false
	}
	s.running.Go(func() {
		w := s.newWorker()
		f(w)
		for f := range s.work {
			f(w)
		}
	})
	return true
}

// Finish returns when the workers have done all their work. Nothing may be given to them any more.
func (s *Waiters[W]) Finish() {
	close(s.work)
	s.running.Wait()
}
