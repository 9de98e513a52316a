package remotefs

import (
	"sync"
	"time"
)

const (
	leastWindow = 1 << 20
	firstWindow = 8 << 20
	mostWindow  = 32 << 20
	busyFrom    = 256 << 10 // bytes under way, from which on another channel may help
	veryBusy    = 1 << 20   // bytes under way, from which on many may
)

// A window bounds the bytes that were sent and not acknowledged by one second's worth, so that what is reported
// as copied is true to about a second.
type window struct {
	mu       sync.Mutex // guards what follows
	busy     sync.Cond  // used or expected has become more, to at least busyFrom together
	used     int
	expected int // bytes of whole files that were asked for and have not come
	reserved int // bytes that may be used next
	size     int
	queue    []*waiting // callers of take and reserve, in order
	ended    bool
	acked    int       // bytes since
	since    time.Time // when something was sent while nothing was under way, or acked was last zero
	held     bool      // somebody has had to wait, or do without, since
}

// A waiting caller wants room for n bytes.
type waiting struct {
	n       int
	reserve bool
	ready   chan struct{} // closed when it has got it
}

func (w *window) init() { w.busy.L, w.size = &w.mu, firstWindow }

// take waits until n bytes may be sent, unless the session has ended.
func (w *window) take(n int) { w.await(&waiting{n: n}) }

// reserve waits until n bytes may be sent, of which it is not known yet how many will be: the caller then calls use.
func (w *window) reserve(n int) { w.await(&waiting{n: n, reserve: true}) }

// await waits until there is room, behind those who came before.
func (w *window) await(c *waiting) {
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

// fitsLocked reports whether there is room for n bytes. There is for any number if nothing else is under way.
func (w *window) fitsLocked(n int) bool {
	in := w.used + w.reserved
	return w.ended || in <= 0 || in+n <= w.size
}

func (w *window) admitLocked(c *waiting) {
	if c.reserve {
		w.reserved += c.n
	} else {
		w.useLocked(c.n)
	}
}

// admitMoreLocked lets those go on that there is room for now.
func (w *window) admitMoreLocked() {
	for len(w.queue) > 0 && w.fitsLocked(w.queue[0].n) {
		c := w.queue[0]
		w.queue[0] = nil
		w.queue = w.queue[1:]
		w.admitLocked(c)
		close(c.ready)
	}
}

// use turns a reservation into the bytes that will be sent, which may be none.
func (w *window) use(reserved, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reserved -= reserved
	w.useLocked(n)
	w.admitMoreLocked()
}

func (w *window) useLocked(n int) {
	if w.used == 0 {
		w.since, w.acked, w.held = time.Now(), 0, false
	}
	w.used += n
	w.signalLocked()
}

func (w *window) signalLocked() {
	if w.used+w.expected >= busyFrom {
		w.busy.Signal()
	}
}

// expect records that n bytes were asked for, or have come if n is negative, of which the window bounds none: a worker
// asks for one file at a time.
func (w *window) expect(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.expected += n
	w.signalLocked()
}

// tryTake is take for who can do without, after those who cannot, and reports whether the bytes may be sent now.
func (w *window) tryTake(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || len(w.queue) > 0 || w.used+w.reserved+n > w.size {
		w.held = true
		return false
	}
	w.useLocked(n)
	return true
}

// waitBusy waits until n bytes are under way, at least busyFrom. It returns false if the session ends.
func (w *window) waitBusy(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.ended && w.used+w.expected < n {
		w.busy.Wait()
	}
	return !w.ended
}

// give records that n bytes were acknowledged, and fits the window to their rate. A rate that the window has not
// limited says what there was to be sent, not what could be, and does not make the window smaller.
func (w *window) give(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.used -= n
	w.acked += n
	const measured = 250 * time.Millisecond
	if passed := time.Since(w.since); passed >= measured {
		rate := int(float64(w.acked) / passed.Seconds())
		if rate > w.size || w.held {
			w.size = max(leastWindow, min((w.size+rate)/2, mostWindow))
		}
		w.since, w.acked, w.held = time.Now(), 0, len(w.queue) > 0
	}
	w.admitMoreLocked()
}

// end lets all who wait go on.
func (w *window) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.admitMoreLocked()
	w.busy.Broadcast()
}
