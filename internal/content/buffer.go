package content

import "sync"

// A buffer is memory that the bytes of a file go through. It is taken while
// a file is read, and not kept: of the hundreds of workers for a host far away, most wait for an answer about a file
// whose bytes are on their way.
type buffer struct {
	bytes []byte
	from  *sync.Pool // nil for one that is too large to be kept
}

// leastBuffer is the size of the smallest buffers, in bytes: most files are smaller.
const leastBuffer = smallFile / 4

// buffers holds buffers that are not in use, each pool those of four times the size of the one before.
var buffers [4]sync.Pool

// newBuffer returns a buffer of at least n bytes.
func newBuffer(n int64) *buffer {
	size := int64(leastBuffer)
	for i := range buffers {
		if size >= n {
			if b, ok := buffers[i].Get().(*buffer); ok {
				return b
			}
			return &buffer{bytes: make([]byte, size), from: &buffers[i]}
		}
		size *= 4
	}
	return &buffer{bytes: make([]byte, n)}
}

// buffer returns a buffer of up to n bytes, which the caller frees.
func (c *Copier) buffer(n int64) *buffer {
	n = c.bufferSize(n)
	b := newBuffer(n)
	b.bytes = b.bytes[:n]
	return b
}

// bufferSize returns how large a buffer may be where n bytes would be best.
func (c *Copier) bufferSize(n int64) int64 {
	if c.MaxBuffer > 0 {
		n = min(n, max(c.MaxBuffer, smallFile))
	}
	return n
}

// free gives the buffer to other Copiers.
func (b *buffer) free() {
	if b.from != nil {
		b.bytes = b.bytes[:cap(b.bytes)]
		b.from.Put(b)
	}
}
