package link

import (
	"bufio"
	"io"
	"runtime"
	"time"

	"psync/internal/buffer"
	"psync/internal/wire"
)

// write writes batches to a channel until it or the link ends, or nothing is left after Close.
func (l *Link) write(c *channel) {
	var n int
	var took time.Duration
	for {
		b := l.next(c, n, took)
		if b == nil {
			return
		}
		start := time.Now()
		if _, err := c.Write(b); err != nil {
			l.lose(c, within(err)) // a channel of ssh returns io.EOF
			return
		}
		n, took = len(b), time.Since(start)
		l.wrote(c, b)
	}
}

// wrote makes the buffer of a batch available to others, unless it is retained.
func (l *Link) wrote(c *channel, b []byte) {
	l.mu.Lock()
	own := c.writing
	if own != nil {
		own.writing, c.writing = false, nil
	}
	l.mu.Unlock()
	if own == nil {
		putBatch(b)
	}
}

// goodbye returns the last frame of a channel.
func goodbye() []byte {
	b, err := wire.Append(takeBatch(), wire.Frame{Message: &wire.Goodbye{}})
	if err != nil {
		panic(err) // it has no fields
	}
	return b
}

// next waits for a batch, after it took some time to write n bytes. It returns nil if there is none any more.
func (l *Link) next(c *channel, n int, took time.Duration) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.speed.add(n, took)
	l.waitForBatchLocked(c)
	if 0 < l.queued && l.queued < batchSize && !c.ended {
		l.mu.Unlock()
		runtime.Gosched() // to those who are about to send more
		l.mu.Lock()
		l.waitForBatchLocked(c) // unless another channel has taken it
	}
	switch {
	case c.ended || l.err != nil:
		return nil
	case len(l.batches) == 0 && c.said:
		return nil
	case len(l.batches) == 0:
		c.said = true
		c.retained.sent++
		return goodbye()
	}
	b := l.batches[0]
	l.batches[0] = batch{}
	l.batches = l.batches[1:]
	l.queued -= len(b.bytes)
	if l.resumable {
		c.writing = c.retained.add(b)
		l.limitRetainedLocked()
	}
	l.sendable.Signal()
	return b.bytes
}

// waitForBatchLocked waits until there is a batch to be written, or the channel or the link ends.
func (l *Link) waitForBatchLocked(c *channel) {
	for len(l.batches) == 0 && l.err == nil && !l.closed && !c.ended {
		l.writable.Wait()
	}
}

// A readError is an error of a channel, and not of what it brings.
type readError struct{ error }

// A PeerError says that the other side has sent something that it may not. Its text is a noun.
type PeerError struct{ Err error }

func (e *PeerError) Error() string { return e.Err.Error() }

func (e *PeerError) Unwrap() error { return e.Err }

// read receives frames from a channel until it or the link ends.
func (l *Link) read(c *channel) {
	r := bufio.NewReaderSize(c, readSize)
	for {
		f, n, err := l.readFrame(r)
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

// readFrame returns a frame, and how many bytes it takes. An error of the channel is a readError: io.EOF if it ends
// before the frame, and io.ErrUnexpectedEOF if it ends within.
func (l *Link) readFrame(r *bufio.Reader) (f wire.Frame, size int, err error) {
	prefix, err := r.Peek(wire.LengthSize)
	if len(prefix) == 0 && err == io.EOF {
		return f, 0, readError{err}
	} else if err != nil {
		return f, 0, readError{within(err)}
	}
	n, err := wire.Length(prefix)
	if err != nil {
		return f, 0, err
	}
	_, _ = r.Discard(wire.LengthSize) // what is there
	size = wire.LengthSize + n
	if n <= r.Size() {
		frame, err := r.Peek(n)
		if err != nil {
			return f, 0, readError{within(err)}
		}
		f, err = l.decode(frame)
		_, _ = r.Discard(n)
		return f, size, err
	}
	b := buffer.New(n)
	if _, err := io.ReadFull(r, b.Bytes); err != nil {
		return f, 0, readError{within(err)}
	}
	if wire.IsCompressed(b.Bytes) {
		defer b.Free()
		f, err = l.decode(b.Bytes)
		return f, size, err
	}
	f, err = wire.DecodeBuffer(b)
	return f, size, err
}

// decode decodes a frame whose bytes will change.
func (l *Link) decode(frame []byte) (wire.Frame, error) {
	if wire.IsCompressed(frame) {
		b, err := l.compressor.Decompress(frame)
		if err != nil {
			return wire.Frame{}, err
		}
		return wire.DecodeBuffer(b)
	}
	return wire.DecodeCopy(frame)
}

// within returns what an error means where the other side has not closed the channel between two frames.
func within(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
