package engine

import (
	"context"

	"psync/internal/engine/job"
	"psync/internal/engine/peers"
)

// A sharedStack is the stack of a run whose directories other hosts may take.
type sharedStack struct {
	*run
	roots   map[int]job.Task // tasks to copy the roots, by source
	leftOut map[int]bool     // sources of which nothing is copied
	changed chan struct{}
}

// newSharedStack returns nil for a run without peers.
func newSharedStack(r *run) *sharedStack {
	if r.job.Job.Peers == nil {
		return nil
	}
	r.job.Job.DestIsNew = false // others may have begun
	s := &sharedStack{r, make(map[int]job.Task), make(map[int]bool), make(chan struct{}, 1)}
	r.pool.Notify(s.notify)
	return s
}

// leaveOut notes that nothing of a source is copied.
func (s *sharedStack) leaveOut(source int) {
	if s != nil {
		s.leftOut[source] = true
	}
}

func (s *sharedStack) notify() {
	select {
	case s.changed <- struct{}{}:
	default:
	}
}

func (s *sharedStack) Changed() <-chan struct{} { return s.changed }
func (s *sharedStack) NotifyAbove(n int)        { s.pool.NotifyAbove(n) }
func (s *sharedStack) Waiting() int             { return s.pool.Unclaimed() }
func (s *sharedStack) Idle() int                { return s.pool.Idle() }

// exchange has other hosts share the directories of a run. Until they are done, no later phase begins.
func (r *run) exchange(ctx context.Context) {
	if r.stack == nil {
		return
	}
	held := r.pool.Hold()
	go func() {
		defer held.Ack()
		if err := r.job.Job.Peers.Exchange(ctx, r.stack); err != nil {
			r.job.Stop(err)
		}
	}()
}

func (s *sharedStack) Put(b *peers.Bundle, found []job.Key) {
	b.Add(len(found) + 1)
	for _, d := range found {
		s.pool.Put(task{Task: job.Task{Source: d.Source, Path: d.Path, Bundle: b}})
	}
	if b.Done(1) {
		s.notify()
	}
}

func (s *sharedStack) Take(n int, fits func(job.Key) bool) (taken []peers.Taken) {
	may := func(t task) bool {
		return t.Kind == job.Copy && t.MadeIn == nil && !t.Bundle.StaysWhole() && fits(job.Key{Source: t.Source, Path: t.Path})
	}
	for _, t := range s.pool.TakeOldest(n, may) {
		if t.Dirs != nil {
			t.Dirs.Cancel()
		}
		taken = append(taken, peers.Taken{Bundle: t.Bundle, Key: job.Key{Source: t.Source, Path: t.Path}})
	}
	return taken
}
