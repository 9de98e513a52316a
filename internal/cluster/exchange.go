package cluster

import (
	"context"
	"errors"
	"time"

	"psync/internal/engine/peers"
	"psync/internal/journal"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
)

// lookInterval is how long a host that waits looks at the state of the job once, however often it changes: with many hosts, it
// does so all the time.
const lookInterval = 50 * time.Millisecond

// An exchange gives directories to one run of the engine, and takes others from it, in one round.
type exchange struct {
	*working
	round     queue.Round
	sources   int
	hardLinks bool // names of one entry become names of one entry
	journal   *journal.Writer

	stack      peers.Stack
	job        queue.State
	isOld      bool      // what is known of the job
	looked     time.Time // when it was asked for
	lapse      time.Time // when a lease lapses, by the state; zero: none is held
	claims     []*claim
	parts      []queue.Part // that are done, except for what this host has left to the end of the round
	givenBack  bool         // a claim that must be dealt with alone, when there are no others any more
	idle       bool         // some workers have no work
	idleSince  time.Time    // if they have none
	hungry     bool         // that was reported
	refusedAll bool         // nothing could be claimed in this state after all

	notifyAbove int // as the stack was last asked for
}

// A claim is a bundle that this host works on.
type claim struct {
	queue.Claim
	treatment protocol.Treatment
	bundle    *peers.Bundle  // nil unless its directories are copied here
	unput     []queue.Bundle // its parts, if it is split
	list      *partList      // nil unless it is a part of the work of the round
}

// Exchange implements [peers.Peers].
func (x *exchange) Exchange(ctx context.Context, s peers.Stack) error {
	x.stack, x.isOld, x.notifyAbove = s, true, -1
	for {
		if x.isOld {
			if err := x.look(ctx); err != nil {
				return err
			}
		}
		over, waits, err := x.step(ctx)
		switch {
		case err != nil:
			return err
		case over:
			return nil
		case waits:
			if err := x.wait(ctx); err != nil {
				return err
			}
		}
	}
}

// look asks for the state of the job.
func (x *exchange) look(ctx context.Context) (err error) {
	x.looked = time.Now()
	if x.job, err = x.state(ctx); err != nil {
		return err
	}
	x.isOld, x.refusedAll, x.lapse = false, false, time.Time{}
	if x.job.Held > 0 {
		x.lapse = time.Now().Add(max(x.job.Lapse, 0))
	}
	return nil
}

// refused looks at the state again when nothing could be claimed. If that still says that something can be, it is wrong, or
// others are faster.
func (x *exchange) refused(ctx context.Context) error {
	err := x.look(ctx)
	x.refusedAll = true
	return err
}

// wait waits for a change of the job, or of the stack, or of what time decides.
func (x *exchange) wait(ctx context.Context) error {
	x.setNotification()
	var hunger, lapse, pause <-chan time.Time
	changes := x.changes
	if d := time.Until(x.looked.Add(lookInterval)); d > 0 {
		changes, pause = nil, time.After(d)
	}
	if x.idle && !x.hungry {
		hunger = time.After(time.Until(x.idleSince.Add(protocol.HungerDelay)))
	}
	if x.idle && !x.lapse.IsZero() {
		lapse = time.After(max(time.Until(x.lapse), 0) + firstPause)
	}
	select {
	case <-changes:
		x.isOld = true
	case <-lapse:
		x.isOld = true
	case <-x.stack.Changed():
	case <-hunger:
	case <-pause: // from now on, changes count
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// setNotification has the stack notify of tasks if these change what is to be done.
func (x *exchange) setNotification() {
	const two = 2 // so that one of them can be put
	above := protocol.MaxFrontier
	switch {
	case x.hungry:
		above = 0
	case protocol.ToPut(two, x.job) > 0:
		above = two - 1
	}
	if above != x.notifyAbove {
		x.notifyAbove = above
		x.stack.NotifyAbove(above)
	}
}

// step makes the next step. over is true if nothing is left to do in the round, except what this host has left to its end.
func (x *exchange) step(ctx context.Context) (over, waits bool, err error) {
	for _, c := range x.claims {
		switch {
		case isDone(c):
			return false, false, x.finishClaim(ctx, c)
		case c.list != nil && !c.list.over && x.stack.Waiting() == 0:
			return false, false, x.readList(ctx, c)
		}
	}
	if n := protocol.ToPut(x.stack.Waiting(), x.job); n > 0 {
		if some, err := x.putOldest(ctx, n); some || err != nil {
			return false, false, err
		}
	}
	if err := x.noteIdle(ctx); err != nil {
		return false, false, err
	}
	h := protocol.Host{Round: x.round.N, Finished: x.finished, Claims: len(x.claims), Alone: x.isAlone(), Idle: x.idle, Deferred: true}
	switch h.Next(x.job) {
	case protocol.EndPhase, protocol.Report, protocol.End:
		return true, false, nil
	case protocol.Claim:
		if x.refusedAll {
			return false, true, nil
		}
		err := x.claim(ctx)
		if errors.Is(err, queue.ErrEmpty) {
			err = x.refused(ctx)
		}
		return false, false, err
	case protocol.Die, protocol.Enter: // the round is over although this host has something left to do
		x.leases.lost()
		return false, false, ErrNotAlive
	}
	return false, true, nil
}

// noteIdle notes, and reports after some time, whether workers have no work.
func (x *exchange) noteIdle(ctx context.Context) error {
	isIdle := x.stack.Idle() > 0 && x.stack.Waiting() == 0
	if isIdle && !x.idle {
		x.idleSince = time.Now()
	}
	x.idle = isIdle
	if isHungry := isIdle && time.Since(x.idleSince) >= protocol.HungerDelay; isHungry != x.hungry {
		x.hungry = isHungry
		err := again(ctx, func(ctx context.Context) error {
			return x.leases.report(ctx, func(s *queue.Status) { s.Hungry = isHungry })
		})
		if err != nil && !errors.Is(err, queue.ErrClosed) {
			return err
		}
	}
	return nil
}

// isAlone reports whether the only claim must be dealt with alone, or one that was given back.
func (x *exchange) isAlone() bool {
	x.givenBack = x.givenBack && len(x.claims) > 0
	return x.givenBack || len(x.claims) == 1 && x.claims[0].treatment == protocol.Alone
}

// putOldest puts directories that wait on the stack, n at most, so that other hosts can claim them. Until it is known that they were
// put, they are part of the claims that they come from.
func (x *exchange) putOldest(ctx context.Context, n int) (some bool, err error) {
	taken := make(map[*peers.Bundle][]queue.Dir)
	for _, t := range x.stack.Take(n, mayBePut) {
		taken[t.Bundle] = append(taken[t.Bundle], dirOf(t.Key))
	}
	defer func() {
		for b := range taken { // after an error
			b.Interrupt()
		}
	}()
	x.isOld = x.isOld || len(taken) > 0
	for _, c := range x.claims {
		dirs := taken[c.bundle]
		if dirs == nil {
			continue
		}
		bundles := bundlesOf(c.Claim, x.round, dirs)
		if err := put(ctx, x.Queue, c.Claim, bundles); err != nil {
			return true, x.lostOr(err)
		}
		delete(taken, c.bundle)
		c.bundle.Done(len(dirs))
		some = true
	}
	return some, nil
}
