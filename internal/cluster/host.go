package cluster

import (
	"context"
	"errors"
	"sync"
	"time"

	"psync/internal/cluster/fence"
	"psync/internal/engine"
	"psync/internal/journal"
	"psync/internal/queue"
)

// A Host is a process that works on a job.
type Host struct {
	Queue  queue.Queue
	Member queue.Member  // Join sets its ID
	Lease  time.Duration // of the queue; 0: protocol.Lease
	Fence  *fence.Fence  // nil: only this package sees to the leases, which does not help if the process is stopped
	// Kill ends the process at once if others may have what it believes to hold: not even cleaning up would be safe. If it is
	// nil, or returns, Run returns ErrNotAlive.
	Kill func()
	// Describe adds to a report what people want to know, and Observe is called with each state of the job that the host asks
	// for. Both may be nil. They are called from several goroutines.
	Describe func(*queue.Status)
	Observe  func(queue.State)

	// Status is the exit status of the job when Run has returned nil.
	Status int

	working *working // nil: it has not joined
}

// working is a Host that has joined its job.
type working struct {
	*Host
	leases   leases
	renewals sync.WaitGroup
	changes  <-chan struct{}
	life     context.Context // ends when the host must not change anything any more
	die      context.CancelCauseFunc
	key      journal.Key
	finished int // the last round in which nothing is left to do
}

// Join makes the host a member of the job, until Run or Leave has returned. The errors are a *[queue.DifferenceError] and
// those of the queue that are none of a lost connection.
func (h *Host) Join(ctx context.Context) error {
	h.Member.ID = queue.NewID()
	w := &working{Host: h}
	w.life, w.die = context.WithCancelCause(context.WithoutCancel(ctx))
	kill := sync.OnceFunc(func() {
		w.die(ErrNotAlive)
		if h.Kill != nil {
			h.Kill()
		}
	})
	w.leases = leases{
		queue: h.Queue, member: h.Member.ID, length: leaseOr(h.Lease), held: make(map[uint64]heldClaim), lost: kill, describe: h.Describe,
	}
	if err := w.leases.begin(h.Fence); err != nil {
		return err
	}
	err := again(ctx, func(ctx context.Context) error { return h.Queue.Join(ctx, h.Member) })
	if err == nil {
		w.changes, err = h.Queue.Watch(w.life, queue.Work)
	}
	if errors.Is(err, queue.ErrLost) {
		kill() // to join anew
		err = ErrNotAlive
	}
	if err != nil {
		w.end()
		return err
	}
	h.working = w
	w.renewals.Go(func() {
		select {
		case <-h.Queue.Lost():
			kill()
		case <-w.life.Done():
		}
	})
	w.renewals.Go(func() { w.leases.renew(w.life) })
	return nil
}

// Reporter returns a function that reports what Describe says at once, for a host that has joined.
func (h *Host) Reporter() func(ctx context.Context) error {
	w := h.working
	return func(ctx context.Context) error {
		return again(ctx, func(ctx context.Context) error { return w.leases.report(ctx, func(*queue.Status) {}) })
	}
}

// Leave ends the membership of a host that has joined and does not run.
func (h *Host) Leave() {
	w := h.working
	if h.working = nil; w == nil {
		return
	}
	if w.life.Err() == nil {
		_ = again(w.life, func(ctx context.Context) error { return h.Queue.Leave(ctx, h.Member.ID) }) // otherwise its lease lapses
	}
	w.end()
}

// end ends the renewals, and the fence unless that must end the process.
func (w *working) end() {
	isAlive := w.life.Err() == nil
	w.die(nil)
	w.renewals.Wait()
	if isAlive {
		w.leases.end()
	}
}

// Run works on a job, whose Journal and Peers it sets, until that has ended. It joins unless the host has joined. If ctx ends
// first, it gives back what it has claimed. It returns the errors of [engine.Run] and of Join, and ErrNotAlive.
func (h *Host) Run(ctx context.Context, j engine.Job) error {
	if err := Check(&j); err != nil {
		return err
	}
	if h.working == nil {
		if err := h.Join(ctx); err != nil {
			return err
		}
	}
	defer h.Leave()
	w := h.working
	w.setProcess(&j)
	alive, interrupt := context.WithCancelCause(ctx)
	defer interrupt(nil)
	defer context.AfterFunc(w.life, func() { interrupt(context.Cause(w.life)) })()
	err := w.rounds(alive, j)
	if err != nil && w.life.Err() == nil {
		w.giveBack()
	}
	if w.life.Err() != nil {
		return ErrNotAlive
	}
	return err
}

// giveBack has others claim what this host has claimed.
func (w *working) giveBack() {
	for _, c := range w.leases.claims() {
		err := again(w.life, func(ctx context.Context) error { return w.Queue.GiveBack(ctx, c) })
		if err == nil || errors.Is(err, queue.ErrTaken) {
			w.leases.drop(c)
		}
	}
}

// rounds takes part in one round after the other until the job has ended.
func (w *working) rounds(ctx context.Context, j engine.Job) error {
	for {
		s, err := w.state(ctx)
		switch {
		case err != nil:
			return err
		case s.Closed:
			w.Status = s.Status
			return nil
		case s.Round.N > w.finished && hasWork(s.Round.Phase):
			if err := w.work(ctx, j, s.Round); err != nil {
				return err
			}
			fallthrough
		case s.Round.N > w.finished:
			if err := w.finish(ctx, s.Round.N); err != nil {
				return err
			}
			continue
		}
		select {
		case <-w.changes:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// hasWork reports whether hosts claim bundles in rounds of a phase.
func hasWork(p queue.Phase) bool { return p < queue.Audit }

// state asks for the state of the job.
func (w *working) state(ctx context.Context) (queue.State, error) {
	s, err := stateOf(ctx, w.Queue)
	if err == nil && w.Observe != nil {
		w.Observe(s)
	}
	return s, err
}

// finish reports that nothing is left to do for this host in a round.
func (w *working) finish(ctx context.Context, round int) error {
	w.finished = round
	err := again(ctx, func(ctx context.Context) error {
		return w.leases.report(ctx, func(s *queue.Status) { s.Hungry, s.Finished = false, round })
	})
	if errors.Is(err, queue.ErrClosed) {
		return nil
	}
	return err
}

// work works on what this host claims in a round, and carries out what it has left to the end of that.
func (w *working) work(ctx context.Context, j engine.Job, r queue.Round) error {
	if err := w.findKey(ctx); err != nil {
		return err
	}
	send := func(records []byte) error {
		return w.append(queue.Record{ID: queue.NewID(), Round: r.N, Data: records})
	}
	j.Journal = journal.NewSender(w.key, journal.Batch{Directories: 100, Delay: 50 * time.Millisecond, Bytes: queue.MaxRecord / 2}, send)
	if r.Phase != queue.Copy && j.Progress != nil {
		j.Progress, j.Policy.Resumes = nil, true // what is left is in directories that are done otherwise
	}
	if r.Phase == queue.Remove {
		j.Delete.Max = nil // which all hosts together keep
	}
	x := &exchange{working: w, round: r, sources: len(j.Sources), hardLinks: j.HardLinks, journal: j.Journal}
	j.Peers = x
	if err := engine.Run(ctx, j); err != nil {
		return err
	}
	for _, p := range x.parts { // what was left to the end is done, too
		if err := w.append(queue.Record{ID: queue.NewID(), Round: r.N, Data: appendPart(p)}); err != nil {
			return err
		}
	}
	return nil
}

// append adds a record to those of the job, even if the host is to end: it says what was done.
func (w *working) append(r queue.Record) error {
	err := again(w.life, func(ctx context.Context) error { return w.Queue.Append(ctx, r) })
	if errors.Is(err, queue.ErrRound) || errors.Is(err, queue.ErrClosed) {
		w.leases.lost() // the others believe that this host has ended
	}
	return err
}

// lostOr returns err, which ends this host at once if it says that a claim has ended.
func (w *working) lostOr(err error) error {
	if errors.Is(err, queue.ErrTaken) {
		w.leases.lost()
		return ErrNotAlive
	}
	return err
}
