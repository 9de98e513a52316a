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
	frame := make([]byte, n)
	if _, err := io.ReadFull(r, frame); err == io.EOF {
		return wire.Frame{}, io.ErrUnexpectedEOF
	} else if err != nil {
		return wire.Frame{}, err
	}
	return wire.Decode(frame)
}
