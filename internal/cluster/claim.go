package cluster

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"psync/internal/engine/peers"
	"psync/internal/journal"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
)

// claim claims a bundle and begins to work on it. The error is queue.ErrEmpty if there is none.
func (x *exchange) claim(ctx context.Context) error {
	sent, request := x.leases.now(), queue.NewID()
	x.isOld = true
	var c queue.Claim
	err := again(ctx, func(ctx context.Context) (err error) {
		c, err = x.Queue.Claim(ctx, x.Member.ID, request, x.round.N)
		return err
	})
	switch {
	case errors.Is(err, queue.ErrTaken), errors.Is(err, queue.ErrRound), errors.Is(err, queue.ErrClosed):
		return nil // the next state says which
	case errors.Is(err, queue.ErrUnknown):
		x.leases.lost()
		return ErrNotAlive
	case err != nil:
		return err
	case !x.leases.now().Before(protocol.Fence(sent, x.leases.length)):
		return nil // others get it when its lease lapses
	}
	return x.begin(ctx, c, sent)
}

// begin begins to work on a claim.
func (x *exchange) begin(ctx context.Context, of queue.Claim, sent time.Time) error {
	c := &claim{Claim: of, treatment: protocol.Treat(of, len(x.claims))}
	own := slices.DeleteFunc(slices.Clone(of.Bundle.Dirs), func(d queue.Dir) bool { return slices.Contains(of.Left, d) })
	switch {
	case of.Bundle.Check() != nil || of.Bundle.Part.Of > 0 == (x.round.Phase == queue.Copy) || slices.ContainsFunc(own, func(d queue.Dir) bool { return d.Root >= x.sources }):
		// No host has put that. What it stands for is missing in the audit.
	case c.treatment == protocol.GiveBack:
		x.givenBack = true
		err := again(ctx, func(ctx context.Context) error { return x.Queue.GiveBack(ctx, of) })
		if errors.Is(err, queue.ErrTaken) {
			return nil
		}
		return err
	case c.treatment == protocol.Split:
		c.unput = partsOf(of, own)
	case c.treatment == protocol.Abandon:
		x.abandon(own)
	default:
		c.bundle = x.bundle(of, c.treatment)
		if p := of.Bundle.Part; p.Of > 0 {
			c.list = &partList{Part: p, after: p.List}
		}
	}
	x.leases.hold(of, sent)
	x.claims = append(x.claims, c)
	if c.list != nil {
		c.bundle.Add(1) // until the list is read
	} else if c.bundle != nil {
		keys := make([]peers.Key, len(own))
		for i, d := range own {
			keys[i] = keyOf(d)
		}
		x.stack.Put(c.bundle, keys)
	}
	return nil
}

// bundle returns the bundle of a claim whose directories are copied here.
func (x *exchange) bundle(c queue.Claim, t protocol.Treatment) *peers.Bundle {
	b := &peers.Bundle{
		Repeated: c.Attempt > 1 || c.Restarted || x.round.N > 1 && x.round.Phase == queue.Copy,
		Alone:    t == protocol.Alone,
		Skips:    make(map[peers.Key]bool, len(c.Left)),
	}
	switch {
	case x.round.Phase == queue.Link:
		b.Work, b.In = peers.LinkEntries, hasEntry(c.Bundle.Part)
	case x.round.Phase == queue.Last:
		b.Work = peers.SetAttrs
	case x.round.Phase == queue.Remove:
		b.Work, b.Repeated = peers.RemoveRest, true
	case x.hardLinks:
		b.Work = peers.LeaveLinks
	}
	for _, d := range slices.Concat(c.Left, c.Bundle.Dirs) {
		b.Skips[keyOf(d)] = true
	}
	return b
}

// readList reads some directories of the list of a part, and begins to work on them.
func (x *exchange) readList(ctx context.Context, c *claim) error {
	dirs, err := c.list.next(ctx, x.Queue, x.round, x.sources)
	if err != nil {
		return err
	}
	keys := make([]peers.Key, len(dirs))
	for i, d := range dirs {
		keys[i] = d.Key
		c.bundle.Allow(d.extraneous)
	}
	x.stack.Put(c.bundle, keys)
	if c.list.over {
		c.bundle.Done(1)
	}
	return nil
}

// abandon records that directories have failed that end the processes that copy them.
func (x *exchange) abandon(dirs []queue.Dir) {
	for _, d := range dirs {
		id := x.key.Root(d.Root)
		if d.Path != "." {
			for name := range strings.SplitSeq(d.Path, "/") {
				id = x.key.Child(id, name)
			}
		}
		x.journal.Directory(&journal.Directory{ID: id, Failed: 1, Repeated: true, Abandoned: true})
	}
}

// isDone reports whether nothing is left to do for a claim but to put its parts and to finish it.
func isDone(c *claim) bool { return c.bundle == nil || c.bundle.Open() == 0 && !c.bundle.Interrupted() }

// finishClaim finishes a claim when everything that it has led to was put and recorded.
func (x *exchange) finishClaim(ctx context.Context, c *claim) error {
	x.isOld = true
	if c.treatment == protocol.Alone && c.bundle != nil {
		dirs := make([]queue.Dir, 0)
		for _, k := range c.bundle.Found() {
			dirs = append(dirs, dirOf(k))
		}
		c.unput = partsOf(c.Claim, dirs)
	}
	if err := put(ctx, x.Queue, c.Claim, c.unput); err != nil {
		return x.lostOr(err)
	}
	if err := x.journal.Commit(); err != nil {
		return err
	}
	if c.list != nil && !c.list.lost {
		x.parts = append(x.parts, c.list.Part)
	}
	x.leases.drop(c.Claim) // a renewal would find that it has ended
	x.claims = slices.DeleteFunc(x.claims, func(other *claim) bool { return other == c })
	err := again(ctx, func(ctx context.Context) error { return x.Queue.Finish(ctx, c.Claim) })
	if errors.Is(err, queue.ErrTaken) {
		return nil // an earlier request has finished it, or others have it, and find that it is done
	}
	return err
}
