// Package buffer keeps memory that the bytes of files and frames go through.
package buffer

import (
	"math/bits"
	"sync"
)

// A Buffer is memory that is taken while it is needed, and given back.
type Buffer struct {
	Bytes []byte
	size  int // of the pool it comes from
}

// pools hold buffers that are not in use, by their size: a power of two and room for what is sent with so many
// bytes of a file, so that a block of a file just fits.
var pools [maxBits - minBits + 1]sync.Pool

const (
	minBits = 10
	maxBits = 22
	extra   = 1 << minBits
)

// New returns a buffer of n bytes, of any contents. It takes little more memory than it needs, as some are kept for long.
func New(n int) *Buffer {
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

// Free gives the memory to others.
func (b *Buffer) Free() {
	if b.size <= maxBits {
		pools[b.size-minBits].Put(b)
	}
}
