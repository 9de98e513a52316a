package link

import (
	"bufio"
	"io"
	"runtime"
	"time"

	"psync/internal/wire"
)

// Add adds a channel, which the Link closes in the end. Frames go over any channel, so they may overtake one
// another.
func (l *Link) Add(c io.ReadWriteCloser) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil || l.closed {
		_ = c.Close()
		return
	}
	ch := &channel{ReadWriteCloser: c}
	l.channels = append(l.channels, ch)
	l.writers.Go(func() { l.write(ch) })
	go l.read(ch)
}

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
			l.end(&ChannelError{within(err)}) // a channel of ssh returns io.EOF
			return
		}
		now := time.Now()
		if len(b) >= bulk {
			lastBulk = now
		}
		l.wrote(c, b, now)
	}
}

// wrote makes the buffer of a batch, which has been written now, available to others.
func (l *Link) wrote(c *channel, b []byte, now time.Time) {
	l.mu.Lock()
	if s := c.segment; s != nil {
		s.written = now
	}
	l.mu.Unlock()
	putBatch(b)
}

// next waits for the next batch to write, and returns it and how to compress it. It returns nil when the link has ended,
// or is closed and has none left. lastBulk is that of gatherLocked.
func (l *Link) next(c *channel, lastBulk time.Time) ([]byte, wire.Compression) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waitForBatchLocked()
	how := l.compressionLocked()
	if how != wire.CompressNever {
		l.gatherLocked(lastBulk)
	}
	if 0 < l.queued && l.queued < batchSize {
		l.mu.Unlock()
		runtime.Gosched() // to those who are about to send more
		l.mu.Lock()
		l.waitForBatchLocked() // unless another channel has taken it
	}
	if l.err != nil || len(l.batches) == 0 {
		return nil, how
	}
	b := l.batches[0]
	l.batches[0] = nil
	l.batches = l.batches[1:]
	l.queued -= len(b)
	l.due = l.due && l.queued > 0
	l.probeLocked(c, &b)
	l.sendable.Signal()
	return b, how
}

// A PeerError says that the other side has sent something that it may not. Its text is a noun.
type PeerError struct{ Err error }

func (e *PeerError) Error() string { return e.Err.Error() }

func (e *PeerError) Unwrap() error { return e.Err }

// read receives frames from a channel until it or the link ends.
func (l *Link) read(c *channel) {
	r := reader{Reader: bufio.NewReaderSize(c, readSize), compressor: l.compressor}
	for {
		f, err := r.next()
		if lost, ok := err.(*ChannelError); ok {
			l.end(lost)
			return
		}
		forLink := false
		if err == nil {
			forLink, err = l.own(f.Message)
		}
		switch {
		case err != nil:
			err = &PeerError{err}
		case !forLink:
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
