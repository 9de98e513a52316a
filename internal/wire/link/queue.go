package link

import (
	"io/fs"
	"slices"

	"psync/internal/wire"
)

// Send sends a frame. What it refers to may be changed when Send returns. It waits while many bytes wait to be
// sent. After the Link has ended, it returns the error of Err. Any other error says that the frame exceeds a
// limit; then it was not sent, and the Link goes on.
func (l *Link) Send(f wire.Frame) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.waitLocked(); err != nil {
		return err
	}
	if l.shouldCompressLocked() {
		return l.sendCompressedLocked(f)
	}
	return l.queueLocked(func(batch []byte) ([]byte, error) { return wire.Append(batch, f) })
}

// TakeQueued returns the bytes that wait to be sent, for a caller that has another way to send them, as the first ones
// over the first channel. There is no channel yet.
func (l *Link) TakeQueued() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.batches {
		l.taken.bytes = append(l.taken.bytes, b.bytes...)
		l.taken.frames += b.frames
	}
	l.batches, l.queued = nil, 0
	return slices.Clone(l.taken.bytes)
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

// queueLocked has encode append to the last batch, or to another one if that is full.
func (l *Link) queueLocked(encode func(batch []byte) ([]byte, error)) error {
	last := len(l.batches) - 1
	fresh := last < 0 || len(l.batches[last].bytes) >= batchSize
	var before []byte
	if fresh {
		before = takeBatch()
	} else {
		before = l.batches[last].bytes
	}
	bytes, err := encode(before)
	switch {
	case err != nil && fresh:
		putBatch(before)
		return err
	case err != nil:
		return err
	case fresh:
		l.batches = append(l.batches, batch{bytes, 1})
	default:
		l.batches[last].bytes = bytes
		l.batches[last].frames++
	}
	l.queued += len(bytes) - len(before)
	l.writable.Signal()
	return nil
}

func (l *Link) shouldCompressLocked() bool {
	switch l.compress {
	case wire.CompressAlways:
		return true
	case wire.CompressAuto:
		return l.queued >= queuedFrom && l.speed.below(slow, len(l.channels)) && l.trial.due()
	}
	return false
}

// sendCompressedLocked compresses a frame while others may be sent.
func (l *Link) sendCompressedLocked(f wire.Frame) error {
	compress := l.compress
	l.mu.Unlock()
	frame, err := wire.Append(takeBatch(), f)
	small, shrank := takeBatch(), false
	tried := err == nil && (len(frame) >= triedFrom || compress == wire.CompressAlways)
	if tried {
		small, shrank = l.compressor.Compress(small, frame, compress == wire.CompressAuto)
	}
	defer putBatch(frame)
	defer putBatch(small)
	l.mu.Lock()
	if err != nil {
		return err
	}
	if tried {
		l.trial.result(shrank)
	}
	if err := l.waitLocked(); err != nil {
		return err
	}
	if !shrank {
		small, frame = frame, small
	}
	return l.queueLocked(func(batch []byte) ([]byte, error) { return append(batch, small...), nil })
}
