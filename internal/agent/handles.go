package agent

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"psync/internal/wire"
)

var errEnded = errors.New("the connection has ended")

// A handle is an entry of the table of handles.
type handle struct {
	number  wire.Handle
	object  object
	claimed bool       // a request opens it, or has
	ready   bool       // it is open, or failed is why not
	failed  error      // why it could not be opened
	closing bool       // no request may name it any more
	users   int        // requests that name it
	writes  uint64     // requests that have changed the contents of a file
	waiting []*request // until it is ready
	finish  *request   // waits for other requests

	cursors   cursors     // of listings that the client may go on with
	holds     *handle     // the directory of a file that is opened for writing
	abandoned atomic.Bool // it is closing

	changed atomic.Int64 // when the last request that changes it, or makes it, was done: a vfs.Stamp
}

// get returns what h stands for, or nil.
func (h *handle) get() *object {
	if h == nil {
		return nil
	}
	return &h.object
}

// idle reports whether a handle can be closed.
func (h *handle) idle() bool { return h.closing && h.ready && h.users == 0 }

// finishable reports whether all requests that Finish waits for have been dealt with. No other request then uses
// the file that it closes.
func (h *handle) finishable() bool {
	return h.finish != nil && h.ready && h.users == 1 && h.writes >= h.finish.after
}

// handles is the table of all handles, and of the requests that name them.
type handles struct {
	mu          sync.Mutex
	table       map[wire.Handle]*handle
	admitted    int       // requests that are not done yet
	parked      int       // of these: that have had to wait, and are not being answered yet
	stuck       int       // of these: that still wait
	parkedBytes int       // of those parked
	progress    sync.Cond // one of these has changed
	ended       bool
	work        sync.WaitGroup // requests that have been admitted, and what else end waits for
}

func newHandles() *handles {
	t := &handles{table: make(map[wire.Handle]*handle)}
	t.progress.L = &t.mu
	return t
}

// admit enters a request that has arrived. If start is false, the request waits for handles, and will be returned
// by done. An error ends the connection.
func (t *handles) admit(r *request) (start bool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.parked >= maxParked || t.parkedBytes+r.frame.Size > maxParkedBytes {
		if t.ended {
			return false, errEnded
		}
		if t.stuck == t.admitted {
			return false, fmt.Errorf("%d requests wait for what no request opens", t.stuck)
		}
		t.progress.Wait()
	}
	if t.ended {
		return false, errEnded
	}
	if len(t.table)+3 > maxHandles {
		return false, fmt.Errorf("more than %d handles", maxHandles)
	}
	if r.frame.Handles.New != 0 {
		if r.opened, err = t.claimLocked(r.frame.Handles.New); err != nil {
			return false, err
		}
	}
	t.work.Add(1)
	t.admitted++
	r.first, r.second = t.useLocked(r, r.frame.Handles.At), t.useLocked(r, r.frame.Handles.Other)
	start = r.missing == 0
	if h := r.first; h != nil && r.role == wire.RoleFinish {
		h.closing, h.finish = true, r
		if start = h.finishable(); start {
			h.finish = nil
		}
	}
	if !start {
		r.parked = true
		t.parked++
		t.stuck++
		t.parkedBytes += r.frame.Size
	}
	return start, nil
}

// claimLocked returns the handle that a request gives to what it opens.
func (t *handles) claimLocked(n wire.Handle) (*handle, error) {
	h := t.handleLocked(n)
	if h.claimed {
		return nil, fmt.Errorf("handle %d is in use", n)
	}
	h.claimed = true
	return h, nil
}

// useLocked returns the handle that a request names, or nil for none.
func (t *handles) useLocked(r *request, n wire.Handle) *handle {
	if n == 0 {
		return nil
	}
	h := t.handleLocked(n)
	if h.closing && (h.finish == nil || r.role != wire.RoleWrite) { // Finish may overtake what it waits for
		r.refused = errBadHandle
		return nil
	}
	h.users++
	if !h.ready {
		h.waiting = append(h.waiting, r)
		r.missing++
	}
	return h
}

func (t *handles) handleLocked(n wire.Handle) *handle {
	h := t.table[n]
	if h == nil {
		h = &handle{number: n}
		t.table[n] = h
	}
	return h
}

// releaseParked notes that a request no longer waits.
func (t *handles) releaseParked(r *request) {
	if !r.parked {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.parked--
	t.parkedBytes -= r.frame.Size
	t.progress.Broadcast()
}

// done notes that a request has been dealt with. It returns the requests that waited for it, which the caller
// starts, and the handles whose objects it closes.
func (t *handles) done(r *request, opened object, err error) (start []*request, closing []*handle) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if h := r.opened; h != nil {
		h.object, h.failed, h.ready = opened, err, true
		_, isGet := r.frame.Message.(*wire.Get) // if it fails, no request waits for what it opens
		if opened.dir == nil && opened.file == nil && (err == nil || isGet) {
			h.failed, h.closing = errBadHandle, true
		}
		if opened.in != nil {
			h.holds = r.first
			r.first.users++
		}
		start = h.wakeLocked(start)
		closing = t.closeLocked(h, closing)
	}
	if h := r.first; h != nil && r.role == wire.RoleWrite {
		h.writes++
		if err != nil && r.spoils() && h.object.spoiled == nil {
			h.object.spoiled = err
		}
	}
	for _, h := range [2]*handle{r.first, r.second} {
		if h != nil {
			start, closing = t.unuseLocked(h, start, closing)
		}
	}
	t.admitted--
	t.stuck -= len(start)
	t.progress.Broadcast()
	return start, closing
}

// unuseLocked notes that h has one user less.
func (t *handles) unuseLocked(h *handle, start []*request, closing []*handle) ([]*request, []*handle) {
	h.users--
	if h.finishable() {
		start, h.finish = append(start, h.finish), nil
	}
	return start, t.closeLocked(h, closing)
}

// closed notes that what h stood for is closed, and that the directory of a file has one user less.
func (t *handles) closed(h *handle) (start []*request, closing []*handle) {
	if h.holds == nil {
		return nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	start, closing = t.unuseLocked(h.holds, nil, nil)
	t.stuck -= len(start)
	return start, closing
}

// wakeLocked appends the requests that waited for nothing but h.
func (h *handle) wakeLocked(start []*request) []*request {
	for _, r := range h.waiting {
		if r.missing--; r.missing > 0 || h.finish == r {
			continue
		}
		start = append(start, r)
	}
	h.waiting = nil
	if h.finishable() {
		start, h.finish = append(start, h.finish), nil
	}
	return start
}

// closeLocked removes a handle from the table if it is to be closed and no longer used, and appends it.
func (t *handles) closeLocked(h *handle, closing []*handle) []*handle {
	if !h.idle() {
		return closing
	}
	delete(t.table, h.number)
	return append(closing, h)
}

// close closes a handle when the requests that name it have been dealt with. It returns it if that is so; the
// caller then notes that by work.
func (t *handles) close(n wire.Handle) (closing []*handle, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if n == 0 || t.ended {
		return nil, nil
	}
	if len(t.table) >= maxHandles {
		return nil, fmt.Errorf("more than %d handles", maxHandles)
	}
	h := t.handleLocked(n)
	h.closing = true
	h.abandoned.Store(true)
	closing = t.closeLocked(h, nil)
	if closing != nil {
		t.work.Add(1)
	}
	return closing, nil
}

// end has every handle closed. It returns the requests that wait, which now fail, and what is to be closed at once.
func (t *handles) end() (start []*request, closing []*handle) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.ended = true
	for _, h := range t.table {
		h.closing = true
		h.abandoned.Store(true)
		for _, r := range h.waiting {
			if r.missing > 0 && r != h.finish {
				r.missing = 0
				start = append(start, r)
			}
		}
		h.waiting = nil
		if !h.claimed {
			h.claimed, h.ready, h.failed = true, true, errEnded
		}
		if h.finish != nil {
			h.finish.after = 0
		}
		if h.finishable() {
			start, h.finish = append(start, h.finish), nil
		}
		closing = t.closeLocked(h, closing)
	}
	t.stuck -= len(start)
	t.progress.Broadcast()
	return start, closing
}
