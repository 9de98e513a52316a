package content

import "psync/internal/buffer"

// leastBuffer is the size of the smallest buffers, in bytes: most files are smaller.
const leastBuffer = smallFile / 4

// buffer returns a buffer of up to n bytes, which the caller frees. It is taken while a file is read, and not kept: of
// the hundreds of workers for a host far away, most wait for an answer about a file whose bytes are on their way.
func (c *Copier) buffer(n int64) *buffer.Buffer { return buffer.New(int(c.bufferSize(n))) }

// bufferSize returns how large a buffer may be where n bytes would be best.
func (c *Copier) bufferSize(n int64) int64 {
	if c.MaxBuffer > 0 {
		n = min(n, max(c.MaxBuffer, smallFile))
	}
	return n
}
