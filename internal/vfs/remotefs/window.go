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
	free     sync.Cond  // used has become less
	busy     sync.Cond  // used has become more, to at least busyFrom
	used     int
	reserved int // bytes that may be used next
	size     int
	waiting  int // callers of take and reserve
	ended    bool
	acked    int       // bytes since
	since    time.Time // when something was sent while nothing was under way, or acked was last zero
}

func (w *window) init() { w.free.L, w.busy.L, w.size = &w.mu, &w.mu, firstWindow }

// take waits until n bytes may be sent, unless the session has ended.
func (w *window) take(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waitLocked(n)
	w.useLocked(n)
}

// waitLocked waits until there is room for n bytes.
func (w *window) waitLocked(n int) {
	w.waiting++
	for in := w.used + w.reserved; !w.ended && in > 0 && in+n > w.size; in = w.used + w.reserved {
		w.free.Wait()
	}
	w.waiting--
}

// reserve waits until n bytes may be sent, of which it is not known yet how many will be: the caller then calls use.
func (w *window) reserve(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waitLocked(n)
	w.reserved += n
}

// use turns a reservation into the bytes that will be sent, which may be none.
func (w *window) use(reserved, n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reserved -= reserved
	w.useLocked(n)
	if n < reserved {
		w.free.Broadcast()
	}
}

func (w *window) useLocked(n int) {
	if w.used == 0 {
		w.since, w.acked = time.Now(), 0
	}
	w.used += n
	if w.used >= busyFrom {
		w.busy.Signal()
	}
}

// tryTake is take for who can do without, after those who cannot, and reports whether the bytes may be sent now.
func (w *window) tryTake(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended || w.waiting > 0 || w.used+w.reserved+n > w.size {
		return false
	}
	w.useLocked(n)
	return true
}

// waitBusy waits until n bytes are under way, at least busyFrom. It returns false if the session ends.
func (w *window) waitBusy(n int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.ended && w.used < n {
		w.busy.Wait()
	}
	return !w.ended
}

// give records that n bytes were acknowledged, and fits the window to their rate.
func (w *window) give(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.used -= n
	w.acked += n
	const measured = 250 * time.Millisecond
	if passed := time.Since(w.since); passed >= measured {
		rate := int(float64(w.acked) / passed.Seconds())
		w.size = max(leastWindow, min((w.size+rate)/2, mostWindow))
		w.since, w.acked = time.Now(), 0
	}
	w.free.Broadcast()
}

// end lets all who wait go on.
func (w *window) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	w.free.Broadcast()
	w.busy.Broadcast()
}
