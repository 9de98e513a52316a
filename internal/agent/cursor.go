package agent

import (
	"errors"
	"iter"
	"sync"

	"psync/internal/vfs"
)

const (
	maxCursors    = 256 // listings of all directories that the client may go on with
	maxDirCursors = 4   // of these: of one directory; the oldest one is forgotten for another
)

// A cursor is a listing that has not been sent to its end.
type cursor struct {
	number uint64
	next   func() ([]vfs.Entry, error, bool)
	stop   func()
	rest   []vfs.Entry // of what next has returned
}

var errStopped = errors.New("no request goes on with the listing")

// newCursor begins to list a directory.
func newCursor(d vfs.Dir, number uint64) *cursor {
	c := &cursor{number: number}
	c.next, c.stop = iter.Pull2(func(yield func([]vfs.Entry, error) bool) {
		err := d.ReadDir(func(entries []vfs.Entry) error {
			if !yield(entries, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && err != errStopped {
			yield(nil, err)
		}
	})
	return c
}

// entry returns the next entry. ok is false if there is none, because of err if that is not nil.
func (c *cursor) entry() (e vfs.Entry, ok bool, err error) {
	for len(c.rest) == 0 {
		entries, err, ok := c.next()
		if !ok || err != nil {
			return vfs.Entry{}, false, err
		}
		c.rest = entries
	}
	e, c.rest = c.rest[0], c.rest[1:]
	return e, true, nil
}

// cursors are those of one directory.
type cursors struct {
	mu   sync.Mutex // guards what follows
	list []*cursor  // the oldest one first
}

// take removes and returns the cursor of a number, or nil.
func (l *cursors) take(number uint64) *cursor {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, c := range l.list {
		if c.number == number {
			l.list = append(l.list[:i:i], l.list[i+1:]...)
			return c
		}
	}
	return nil
}

// keep adds a cursor, and returns the one that is forgotten for it, or nil.
func (l *cursors) keep(c *cursor) (forgotten *cursor) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.list) == maxDirCursors {
		forgotten, l.list = l.list[0], l.list[1:]
	}
	l.list = append(l.list, c)
	return forgotten
}

// resume returns the cursor that a request goes on with, or nil.
func (s *server) resume(h *handle, number uint64) *cursor {
	c := h.cursors.take(number)
	if c != nil {
		s.cursors.Add(-1)
	}
	return c
}

// pause keeps a cursor until the client goes on with it, and reports whether that is possible.
func (s *server) pause(h *handle, c *cursor) bool {
	if s.cursors.Add(1) > maxCursors {
		s.cursors.Add(-1)
		return false
	}
	if forgotten := h.cursors.keep(c); forgotten != nil {
		s.cursors.Add(-1)
		forgotten.stop()
	}
	return true
}

// stopAll ends the listings of a directory that is closed.
func (s *server) stopAll(h *handle) {
	for _, c := range h.cursors.list {
		s.cursors.Add(-1)
		c.stop()
	}
	h.cursors.list = nil
}
