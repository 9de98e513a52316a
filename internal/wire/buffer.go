package wire

import (
	"math/bits"
	"sync"
)

// A Buffer is memory for one frame. It is not shared by several ones, so that a frame which is kept keeps
// little more memory than it needs.
type Buffer struct {
	Bytes []byte
	size  int // of the pool it comes from
}

// pools hold buffers that are not in use, by their size: a power of two and room for what is sent with so many
// bytes of a file, so that a block of a file just fits.
var pools [maxBits - minBits + 1]sync.Pool

const (
	minBits = 10
	maxBits = 20
	extra   = 1 << minBits
)

// NewBuffer returns a buffer of n bytes, of any contents.
func NewBuffer(n int) *Buffer {
	size := max(minBits, bits.Len(uint(max(n-extra, 1)-1)))
	if size > maxBits {
		return &Buffer{Bytes: make([]byte, n), size: size}
	}
	b, ok := pools[size-minBits].Get().(*Buffer)
	if !ok {
		b = &Buffer{Bytes: make([]byte, 1<<size+extra), size: size}
	}
	b.Bytes = b.Bytes[:n]
	return b
}

// Free makes the memory available to other frames.
func (b *Buffer) Free() {
	if b.size <= maxBits {
		pools[b.size-minBits].Put(b)
	}
}

// Decode decodes the frame that the buffer holds, to which the buffer then belongs.
func (b *Buffer) Decode() (Frame, error) {
	f, hasData, err := decode(b.Bytes, false)
	if !hasData {
		b.Free()
		return f, err
	}
	f.buffer = b
	return f, nil
}

// Release says that the Data of the message will not be used any more, so that the memory can be used for other
// frames. It may be called once, or not at all.
func (f Frame) Release() {
	if f.buffer != nil {
		f.buffer.Free()
	}
}
