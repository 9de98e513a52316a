package retry

import (
	"sync"
	"time"
)

const (
	// A call that takes longer than hangAfter is reported. While calls hang, one is reported every hangAgain.
	hangAfter, hangAgain = 10 * time.Second, time.Minute
)

// calls tracks the calls to a volume that have not returned.
type calls struct {
	mu        sync.Mutex // guards what follows
	all, idle []*pendingCall
	reported  time.Time // when a call that hangs was reported last; zero if none hangs
}

// A pendingCall records a call that has not returned, so that one that hangs can be reported. Records are used again.
type pendingCall struct {
	dir   *dir // nil for the root itself
	name  string
	since time.Time // zero if it has returned
}

// begin records that a call concerning the entry called name in d is being made. The caller calls end when the call has
// returned.
func (cs *calls) begin(d *dir, name string) *pendingCall {
	now := time.Now()
	cs.mu.Lock()
	defer cs.mu.Unlock()
	var c *pendingCall
	if n := len(cs.idle); n > 0 {
		c, cs.idle = cs.idle[n-1], cs.idle[:n-1]
	} else {
		c = new(pendingCall)
		cs.all = append(cs.all, c)
	}
	c.dir, c.name, c.since = d, name, now
	return c
}

func (cs *calls) end(c *pendingCall) {
	if c.dir != nil {
		c.dir.root.calls.Add(time.Since(c.since))
	}
	cs.mu.Lock()
	defer cs.mu.Unlock()
	*c = pendingCall{}
	cs.idle = append(cs.idle, c)
}

// A hang says which calls hang.
type hang struct {
	oldest pendingCall
	n      int // how many hang
}

// hanging describes the calls that hang; due reports whether they should be reported now.
func (cs *calls) hanging(now time.Time) (h hang, due bool) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if c.since.IsZero() || now.Sub(c.since) < hangAfter {
			continue
		}
		if h.n++; h.n == 1 || c.since.Before(h.oldest.since) {
			h.oldest = *c
		}
	}
	switch {
	case h.n == 0:
		cs.reported = time.Time{}
		return h, false
	case !cs.reported.IsZero() && now.Sub(cs.reported) < hangAgain:
		return h, false
	}
	cs.reported = now
	return h, true
}

func (cs *calls) longest(now time.Time) (longest time.Duration) {
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for _, c := range cs.all {
		if !c.since.IsZero() {
			longest = max(longest, now.Sub(c.since))
		}
	}
	return longest
}
