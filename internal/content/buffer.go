package content

import "psync/internal/buffer"

// minBuffer is the size of the smallest buffers, in bytes: most files are smaller.
const minBuffer = smallFile / 4

// buffer returns a buffer of about n bytes, which the caller frees. Those of small files have one size, so that the same
// one serves for the next step. It is taken while a file is read, and not kept: of the hundreds of workers for a host far
// away, most wait for an answer about a file whose bytes are on their way.
func (c *Copier) buffer(n int64) *buffer.Buffer {
	return buffer.New(int(max(c.bufferSize(n), minBuffer)))
}

// bufferSize returns how large a buffer may be where n bytes would be best.
func (c *Copier) bufferSize(n int64) int64 {
	if c.MaxBuffer > 0 {
		n = min(n, max(c.MaxBuffer, smallFile))
	}
	return n
}
