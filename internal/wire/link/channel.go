package link

import (
	"bufio"
	"io"
	"sync"

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
	for batch := l.next(); batch != nil; batch = l.next() {
		if _, err := c.Write(batch); err != nil {
			l.end(err)
			return
		}
		putBatch(batch)
	}
}

// next waits for a batch.
func (l *Link) next() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.batches) == 0 {
		if l.err != nil || l.closed {
			return nil
		}
		l.writable.Wait()
	}
	batch := l.batches[0]
	l.batches[0] = nil
	l.batches = l.batches[1:]
	l.queued -= len(batch)
	l.sendable.Broadcast()
	return batch
}

// read receives frames from a channel until the link ends.
func (l *Link) read(c io.Reader) {
	r := bufio.NewReaderSize(c, readSize)
	for {
		f, err := readFrame(r)
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
func readFrame(r *bufio.Reader) (wire.Frame, error) {
	var prefix [wire.LengthSize]byte
	if _, err := io.ReadFull(r, prefix[:]); err != nil {
		return wire.Frame{}, err
	}
	n, err := wire.Length(prefix[:])
	if err != nil {
		return wire.Frame{}, err
	}
	if n <= r.Size() {
		frame, err := r.Peek(n)
		if err != nil {
			return wire.Frame{}, within(err)
		}
		f, err := decode(frame)
		_, _ = r.Discard(n) // what is there
		return f, err
	}
	b := wire.NewBuffer(n)
	if _, err := io.ReadFull(r, b.Bytes); err != nil {
		return wire.Frame{}, within(err)
	}
	return b.Decode()
}

// decode decodes a frame whose bytes will change.
func decode(frame []byte) (wire.Frame, error) {
	if !wire.HasData(frame) {
		return wire.Decode(frame)
	}
	b := wire.NewBuffer(len(frame))
	copy(b.Bytes, frame)
	return b.Decode()
}

// within returns what an error means within a frame.
func within(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
