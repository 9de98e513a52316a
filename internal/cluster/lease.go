package cluster

import (
	"context"
	"errors"
	"maps"
	"sync"
	"time"

	"psync/internal/cluster/fence"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
)

// leases renew the leases of a host until one of them is lost.
type leases struct {
	queue    queue.Queue
	member   queue.ID
	length   time.Duration
	now      func() time.Time    // by the clock of the fence
	describe func(*queue.Status) // adds to a report what people want to know; may be nil
	lost     func()              // called if the host must not change anything any more
	timer    *time.Timer         // calls lost before another host may have a claim
	fence    *fence.Lease        // the first lease to lapse of all of them; nil: there is no fence

	mu      sync.Mutex // guards what follows
	status  queue.Status
	renewed time.Time // when the last report was sent that succeeded
	held    map[uint64]heldClaim
}

// A heldClaim is a claim with the time when the request was sent that began its lease.
type heldClaim struct {
	queue.Claim
	sent time.Time
}

// begin begins the membership.
func (l *leases) begin(f *fence.Fence) (err error) {
	l.now = time.Now
	if f != nil {
		l.now = fence.Now
	}
	l.renewed = l.now()
	if f != nil {
		if l.fence, err = f.Begin(l.renewed, l.length); err != nil {
			return err
		}
	}
	l.timer = time.AfterFunc(protocol.Fence(l.renewed, l.length).Sub(l.now()), l.lost)
	return nil
}

// end ends the membership. The caller changes nothing any more that other hosts may have.
func (l *leases) end() {
	l.timer.Stop()
	if l.fence != nil {
		_ = l.fence.End()
	}
}

// hold begins to renew the lease of a claim.
func (l *leases) hold(c queue.Claim, sent time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held[c.Revision] = heldClaim{c, sent}
	l.setFenceLocked()
}

// drop ends that.
func (l *leases) drop(c queue.Claim) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.held, c.Revision)
}

// claims returns the claims that are held.
func (l *leases) claims() (claims []queue.Claim) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, c := range l.held {
		claims = append(claims, c.Claim)
	}
	return claims
}

// setFenceLocked sets the fence by the lease that lapses first.
func (l *leases) setFenceLocked() {
	first := l.renewed
	for _, c := range l.held {
		if c.sent.Before(first) {
			first = c.sent
		}
	}
	l.timer.Reset(protocol.Fence(first, l.length).Sub(l.now()))
	if l.fence != nil && l.fence.Renewed(first) != nil {
		l.lost()
	}
}

// report changes the status of the host, and reports it, which renews the membership.
func (l *leases) report(ctx context.Context, change func(*queue.Status)) error {
	sent := l.now()
	l.mu.Lock()
	change(&l.status)
	l.status.Seq++
	s := l.status
	l.mu.Unlock()
	if l.describe != nil {
		l.describe(&s)
	}
	return l.look(l.queue.Report(ctx, l.member, s), func() { l.renewed = sent })
}

// look looks at the answer to a renewal, which is recorded if it has succeeded.
func (l *leases) look(err error, record func()) error {
	if errors.Is(err, queue.ErrTaken) || errors.Is(err, queue.ErrUnknown) || errors.Is(err, queue.ErrLost) {
		l.lost()
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	record()
	l.setFenceLocked()
	return nil
}

// renew renews all leases, time and again, until ctx ends.
func (l *leases) renew(ctx context.Context) {
	l.mu.Lock()
	next := protocol.RenewAt(l.renewed, l.length)
	l.mu.Unlock()
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(next.Sub(l.now())):
		}
		now := l.now()
		if next = protocol.RenewAt(now, l.length); !l.renewAll(ctx, now) {
			next = now.Add(l.length / 32)
		}
	}
}

// renewAll renews all leases once, and reports whether that has succeeded.
func (l *leases) renewAll(ctx context.Context, now time.Time) bool {
	l.mu.Lock()
	held := maps.Clone(l.held)
	l.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, min(requestTimeout, l.length/8))
	defer cancel()
	errs := make(chan error, 1+len(held))
	go func() { errs <- l.report(ctx, func(*queue.Status) {}) }()
	for revision, c := range held {
		go func() { errs <- l.renewClaim(ctx, revision, c, now) }()
	}
	ok := true
	for range 1 + len(held) {
		ok = <-errs == nil && ok
	}
	return ok
}

func (l *leases) renewClaim(ctx context.Context, revision uint64, c heldClaim, now time.Time) error {
	err := l.queue.Renew(ctx, c.Claim)
	l.mu.Lock()
	_, isHeld := l.held[revision]
	l.mu.Unlock()
	if !isHeld {
		return nil // it was finished meanwhile
	}
	return l.look(err, func() {
		if _, isHeld := l.held[revision]; isHeld {
			l.held[revision] = heldClaim{c.Claim, now}
		}
	})
}
