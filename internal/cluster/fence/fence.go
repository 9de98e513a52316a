// Package fence ends this process before other hosts can take what it works on.
//
// A host that is stopped, or whose system sleeps, does not notice that its leases lapse. When it goes on, it would change
// files that belong to another host by then, and no check of its own comes before the next call that it makes. So a timer
// of the kernel kills it: by SIGKILL, even while it is stopped, by a clock that goes on while the system sleeps and that
// no one can set. What that does not reach is a virtual machine that is paused with its clock, a call that hangs in the
// kernel, and requests that are on their way to a server: those are what premises of removals are for.
package fence

import (
	"slices"
	"sync"
	"time"

	"psync/internal/queue/protocol"
	"psync/internal/sys/killtimer"
)

// A Fence holds the leases of this process. The process is killed when the first of them is about to lapse. Only Linux has
// the timer that it takes.
type Fence struct {
	timer timer

	mu     sync.Mutex // guards what follows, and orders the calls of timer
	leases []*Lease
	armed  time.Time // zero: the timer is not
}

// A timer is a [killtimer.Timer].
type timer interface {
	Arm(at time.Duration) error
	Close() error
}

// A Lease is something that another host may take when it lapses: a claim, or a membership.
type Lease struct {
	fence *Fence
	lasts time.Duration
	until time.Time
}

// New returns a fence without leases.
func New() (*Fence, error) {
	t, err := killtimer.New()
	if err != nil {
		return nil, err
	}
	return &Fence{timer: t}, nil
}

// Now returns the time on the clock of the fence, which begins at an arbitrary point.
func Now() time.Time { return time.Unix(0, int64(killtimer.SinceBoot())) }

// Begin adds a lease. sent is what [Now] has returned before the request was sent that began the lease, the first one if
// it was repeated.
func (f *Fence) Begin(sent time.Time, lasts time.Duration) (*Lease, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := &Lease{f, lasts, protocol.Fence(sent, lasts)}
	f.leases = append(f.leases, l)
	return l, f.armLocked()
}

// Renewed sets the time at which a lease ends the process. sent is what [Now] has returned before the renewal was sent that
// has succeeded. It may be earlier than before: a [Lease] that stands for several begins with the oldest of them. It has no
// effect on a lease that has ended, because answers may come late.
func (l *Lease) Renewed(sent time.Time) error {
	f := l.fence
	f.mu.Lock()
	defer f.mu.Unlock()
	l.until = protocol.Fence(sent, l.lasts)
	return f.armLocked()
}

// End removes a lease that others may take from now on. The caller changes nothing more for it.
func (l *Lease) End() error {
	f := l.fence
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leases = slices.DeleteFunc(f.leases, func(other *Lease) bool { return other == l })
	return f.armLocked()
}

// Close ends all leases.
func (f *Fence) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.leases = nil
	return f.timer.Close()
}

// armLocked arms the timer for the lease that lapses first.
func (f *Fence) armLocked() error {
	var first time.Time
	for _, l := range f.leases {
		if first.IsZero() || l.until.Before(first) {
			first = l.until
		}
	}
	if first.Equal(f.armed) {
		return nil
	}
	at := time.Duration(0)
	if !first.IsZero() {
		at = max(1, time.Duration(first.UnixNano())) // what is past kills at once
	}
	if err := f.timer.Arm(at); err != nil {
		return err
	}
	f.armed = first
	return nil
}
