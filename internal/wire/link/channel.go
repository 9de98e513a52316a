package link

import (
	"bufio"
	"io"
	"runtime"
	"time"

	"psync/internal/wire"
)

// write writes batches to a channel until it or the link ends, or nothing is left after Close.
func (l *Link) write(c *channel) {
	var lastBulk time.Time // when a batch of at least bulk bytes was written
	for {
		b, how := l.next(c, lastBulk)
		if b == nil {
			return
		}
		out, shrank := b, false
		if how != wire.CompressNever {
			out, shrank = l.compressed(b, how)
		}
		_, err := c.Write(out)
		if shrank {
			putBatch(out)
		}
		if err != nil {
			l.lose(c, within(err)) // a channel of ssh returns io.EOF
			return
		}
		now := time.Now()
		if len(b) >= bulk {
			lastBulk = now
		}
		l.wrote(c, b, now)
	}
}

// wrote makes the buffer of a batch, which has been written now, available to others, unless it is retained.
func (l *Link) wrote(c *channel, b []byte, now time.Time) {
	l.mu.Lock()
	if s := c.segment; s != nil {
		s.written = now
	}
	own := c.writing
	if own != nil {
		own.writing, c.writing = false, nil
	}
	l.mu.Unlock()
	if own == nil {
		putBatch(b)
	}
}

// next waits for the next batch to write, and returns it and how to compress it. It returns nil when the channel
// or the link has ended, or after the Goodbye. lastBulk is that of gatherLocked.
func (l *Link) next(c *channel, lastBulk time.Time) ([]byte, wire.Compression) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waitForBatchLocked(c)
	how := l.compressionLocked()
	if how != wire.CompressNever {
		l.gatherLocked(c, lastBulk)
	}
	if 0 < l.queued && l.queued < batchSize && !c.ended {
		l.mu.Unlock()
		runtime.Gosched() // to those who are about to send more
		l.mu.Lock()
		l.waitForBatchLocked(c) // unless another channel has taken it
	}
	switch {
	case c.ended || l.err != nil:
		return nil, how
	case len(l.batches) == 0 && c.said:
		return nil, how
	case len(l.batches) == 0:
		c.said = true
		c.retained.sent++
		return appended(takeBatch(), &wire.Goodbye{}), wire.CompressNever
	}
	b := l.batches[0]
	l.batches[0] = batch{}
	l.batches = l.batches[1:]
	l.queued -= len(b.bytes)
	l.due = l.due && l.queued > 0
	l.probeLocked(c, &b)
	if l.resumable {
		c.writing = c.retained.add(b)
		l.limitRetainedLocked()
	} else {
		c.retained.sent += b.frames
	}
	l.sendable.Signal()
	return b.bytes, how
}

// A readError is an error of a channel, and not of what it brings.
type readError struct{ error }

// A PeerError says that the other side has sent something that it may not. Its text is a noun.
type PeerError struct{ Err error }

func (e *PeerError) Error() string { return e.Err.Error() }

func (e *PeerError) Unwrap() error { return e.Err }

// read receives frames from a channel until it or the link ends.
func (l *Link) read(c *channel) {
	r := reader{Reader: bufio.NewReaderSize(c, readSize), compressor: l.compressor}
	for {
		f, n, err := r.next()
		if lost, ok := err.(readError); ok {
			l.lose(c, lost.error)
			return
		}
		forLink, ok := false, true
		if err == nil {
			forLink, ok, err = l.arrive(c, f.Message, n)
		}
		if err != nil {
			err = &PeerError{err}
		}
		switch {
		case !ok:
			f.Release()
			return
		case err == nil && !forLink:
			err = l.receive(f)
		}
		if err != nil {
			l.end(err)
			return
		}
	}
}

// within returns what an error means where the other side has not closed the channel between two frames.
func within(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
