package link

import (
	"bufio"
	"io"
	"runtime"
	"sync"
	"time"

	"psync/internal/wire"
)

// batches holds buffers for batches.
var batches = sync.Pool{New: func() any {
	b := make([]byte, 0, 2*batchSize)
	return &b
}}

func takeBatch() []byte { return (*batches.Get().(*[]byte))[:0] }

// putBatch keeps the buffer of a batch, unless a large frame has made it large.
func putBatch(b []byte) {
	if cap(b) <= 4*batchSize {
		batches.Put(&b)
	}
}

// write writes batches to a channel until the link ends, or nothing is left after Close.
func (l *Link) write(c io.Writer) {
	var took time.Duration
	for batch := l.next(0, 0); batch != nil; {
		start := time.Now()
		if _, err := c.Write(batch); err != nil {
			l.end(within(err)) // a channel of ssh returns io.EOF
			return
		}
		took = time.Since(start)
		n := len(batch)
		putBatch(batch)
		batch = l.next(n, took)
	}
}

// next waits for a batch, after it took some time to write n bytes.
func (l *Link) next(n int, took time.Duration) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.speed.add(n, took)
	l.waitForBatchLocked()
	if 0 < l.queued && l.queued < batchSize {
		l.mu.Unlock()
		runtime.Gosched() // to those who are about to send more
		l.mu.Lock()
		l.waitForBatchLocked() // unless another channel has taken it
	}
	if len(l.batches) == 0 {
		return nil
	}
	batch := l.batches[0]
	l.batches[0] = nil
	l.batches = l.batches[1:]
	l.queued -= len(batch)
	l.sendable.Signal()
	return batch
}

// waitForBatchLocked waits until there is a batch to be written, or the link ends.
func (l *Link) waitForBatchLocked() {
	for len(l.batches) == 0 && l.err == nil && !l.closed {
		l.writable.Wait()
	}
}

// read receives frames from a channel until the link ends.
func (l *Link) read(c io.Reader) {
	r := bufio.NewReaderSize(c, readSize)
	for {
		f, err := l.readFrame(r)
		if err == nil {
			err = l.receive(f)
		}
		if err != nil {
			l.end(err)
			return
		}
	}
}

// readFrame returns io.EOF if the channel ends before the frame, and io.ErrUnexpectedEOF if it ends within.
func (l *Link) readFrame(r *bufio.Reader) (wire.Frame, error) {
	prefix, err := r.Peek(wire.LengthSize)
	if len(prefix) == 0 && err == io.EOF {
		return wire.Frame{}, err
	} else if err != nil {
		return wire.Frame{}, within(err)
	}
	n, err := wire.Length(prefix)
	if err != nil {
		return wire.Frame{}, err
	}
	_, _ = r.Discard(wire.LengthSize) // what is there
	if n <= r.Size() {
		frame, err := r.Peek(n)
		if err != nil {
			return wire.Frame{}, within(err)
		}
		f, err := l.decode(frame)
		_, _ = r.Discard(n)
		return f, err
	}
	b := wire.NewBuffer(n)
	if _, err := io.ReadFull(r, b.Bytes); err != nil {
		return wire.Frame{}, within(err)
	}
	if wire.IsCompressed(b.Bytes) {
		defer b.Free()
		return l.decode(b.Bytes)
	}
	return b.Decode()
}

// decode decodes a frame whose bytes will change.
func (l *Link) decode(frame []byte) (wire.Frame, error) {
	if wire.IsCompressed(frame) {
		b, err := l.compressor.Decompress(frame)
		if err != nil {
			return wire.Frame{}, err
		}
		return b.Decode()
	}
	if !wire.HasData(frame) {
		return wire.Decode(frame)
	}
	b := wire.NewBuffer(len(frame))
	copy(b.Bytes, frame)
	return b.Decode()
}

// within returns what an error means where the other side has not closed the channel between two frames.
func within(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
