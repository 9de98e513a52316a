package link

import (
	"io/fs"
	"slices"

	"psync/internal/wire"
)

// Send sends a frame. What it refers to may be changed when Send returns. It waits while many bytes wait to be
// sent. After the Link has ended, it returns the error of Err. Any other error says that the frame exceeds a
// limit; then it was not sent, and the Link goes on.
func (l *Link) Send(f wire.Frame) error { return l.send(f, true) }

// SendLater is Send for a frame that waits for others, until much is queued, something is sent by Send, or Flush is called.
func (l *Link) SendLater(f wire.Frame) error { return l.send(f, false) }

// Flush has what is queued sent now.
func (l *Link) Flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.queued > 0 {
		l.due = true
		l.writable.Signal()
	}
}

func (l *Link) send(f wire.Frame, now bool) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.waitLocked(); err != nil {
		return err
	}
	if err := l.queueLocked(f); err != nil {
		return err
	}
	if now {
		l.due = true
	}
	if l.isDueLocked() {
		l.writable.Signal()
	}
	return nil
}

// isDueLocked reports whether what is queued is to be written.
func (l *Link) isDueLocked() bool { return l.queued > 0 && (l.due || l.queued >= batchSize) }

// TakeQueued returns the bytes that wait to be sent, for a caller that has another way to send them, as the first ones
// over the first channel. There is no channel yet.
func (l *Link) TakeQueued() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := slices.Concat(l.batches...)
	l.batches, l.queued = nil, 0
	return taken
}

// waitLocked waits for room in the queue.
func (l *Link) waitLocked() error {
	for l.err == nil && !l.closed && l.queued >= maxQueued {
		l.sendable.Wait()
	}
	l.sendable.Signal() // each one that goes on wakes the next, who sees whether there is still room
	if l.err == nil && l.closed {
		return fs.ErrClosed
	}
	return l.err
}

// queueLocked appends a frame to the last batch, or to another one if that is full. The caller signals writable.
func (l *Link) queueLocked(f wire.Frame) error {
	last := len(l.batches) - 1
	fresh := last < 0 || len(l.batches[last]) >= batchSize
	var before []byte
	if fresh {
		before = takeBatch()
	} else {
		before = l.batches[last]
	}
	bytes, err := wire.Append(before, f)
	switch {
	case err != nil && fresh:
		putBatch(before)
		return err
	case err != nil:
		return err
	case fresh:
		l.batches = append(l.batches, bytes)
	default:
		l.batches[last] = bytes
	}
	l.queued += len(bytes) - len(before)
	return nil
}

// waitForBatchLocked waits until there is a batch to be written, or the link ends or is closed.
func (l *Link) waitForBatchLocked() {
	for !l.isDueLocked() && l.err == nil && !l.closed {
		l.writable.Wait()
	}
}
