package session

import (
	"sync"
	"time"
)

const (
	minWindow   = 1 << 20
	firstWindow = 8 << 20
	maxWindow   = 32 << 20
	busyFrom    = 256 << 10 // from this many bytes in flight on, another channel may help
	veryBusy    = 1 << 20   // from this many bytes in flight on, many channels may help
)

// A Window limits the bytes that are sent but not acknowledged to what is sent in one second, so that what is reported
// as copied is accurate to about a second.
type Window struct {
	mu       sync.Mutex // guards what follows
	busy     sync.Cond  // used or expected has grown, and their sum is at least busyFrom
	used     int
	expected int // bytes of whole files that were requested and have not come
	reserved int // bytes that are reserved for later use
	size     int
	queue    []*waiting // callers of Take and Reserve, in order
	ended    bool
	acked    int       // bytes acknowledged since then
	since    time.Time // when something was sent while nothing was in flight, or acked was last zero
	held     bool      // a caller has had to wait, or do without, since then
}

// A waiting caller wants room for n bytes.
type waiting struct {
	n       int
	reserve bool
	ready   chan struct{} // closed when there is room
}

func (w *Window) init() { w.busy.L, w.size = &w.mu, firstWindow }

// Take waits until n bytes may be sent, unless the session has ended.
func (w *Window) Take(n int) { w.await(&waiting{n: n}) }

// Reserve is Take for n bytes of which an unknown number will be sent. The caller must then call Use.
func (w *Window) Reserve(n int) { w.await(&waiting{n: n, reserve: true}) }

// await waits until there is room, after those that came before.
func (w *Window) await(c *waiting) {
	w.mu.Lock()
	if len(w.queue) == 0 && w.fitsLocked(c.n) {
		w.admitLocked(c)
		w.mu.Unlock()
		return
	}
	c.ready = make(chan struct{})
	w.queue = append(w.queue, c)
	w.held = true
	w.mu.Unlock()
	<-c.ready
}

// fitsLocked reports whether there is room for n bytes. There is room for any number if nothing else is in flight.
func (w *Window) fitsLocked(n int) bool {
	in := w.used + w.reserved
	return w.ended || in <= 0 || in+n <= w.size
}

func (w *Window) admitLocked(c *waiting) {
	if c.reserve {
		w.reserved += c.n
	} else {
		w.useLocked(c.n)
	}
}

// admitMoreLocked lets waiting callers continue for which there is now room.
func (w *Window) admitMoreLocked() {
	for len(w.queue) > 0 && w.fitsLocked(w.queue[0].n) {
		c := w.queue[0]
		w.queue[0] = nil
		w.queue = w.queue[1:]
		w.admitLocked(c)
		close(c.ready)
	}
}

// Use replaces a reservation by the number of bytes that will be sent, which may be zero.
func (w *Window) Use(reserved, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reserved -= reserved
	w.useLocked(n)
	w.admitMoreLocked()
}

func (w *Window) useLocked(n int) {
	if w.used == 0 {
		w.since, w.acked, w.held = time.Now(), 0, false
	}
	w.used += n
	w.signalLocked()
}

func (w *Window) signalLocked() {
	if w.used+w.expected >= busyFrom {
		w.busy.Signal()
	}
}

// Expect records that n bytes were requested, or have come if n is negative. The window does not limit them, because a
// worker requests only one file at a time.
func (w *Window) Expect(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected += n
	w.signalLocked()
}

// TryTake is Take for callers that can do without. They go after those that cannot. It reports whether there was room.
func (w *Window) TryTake(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || len(w.queue) > 0 || w.used+w.reserved+n > w.size {
		w.held = true
		return false
	}
	w.useLocked(n)
	return true
}

// waitBusy waits until n bytes, which must be at least busyFrom, are in flight. It returns false if the session ends.
func (w *Window) waitBusy(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.ended && w.used+w.expected < n {
		w.busy.Wait()
	}
	return !w.ended
}

// Ack records that n bytes were acknowledged and adjusts the window to their rate. The window
// shrinks only if it was what limited the rate: otherwise a low rate says only how little there was to send.
func (w *Window) Ack(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.used -= n
	w.acked += n
	const measured = 250 * time.Millisecond
	if passed := time.Since(w.since); passed >= measured {
		rate := int(float64(w.acked) / passed.Seconds())
		if rate > w.size || w.held {
			w.size = max(minWindow, min((w.size+rate)/2, maxWindow))
		}
		w.since, w.acked, w.held = time.Now(), 0, len(w.queue) > 0
	}
	w.admitMoreLocked()
}

// end lets all waiting callers continue.
func (w *Window) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.admitMoreLocked()
	w.busy.Broadcast()
}
