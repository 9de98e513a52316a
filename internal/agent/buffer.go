package agent

import "psync/internal/buffer"

// smallBuffer is the size in bytes up to which buffers are not counted: there are no more of them than requests at work.
const smallBuffer = 16 << 10

// buffer returns n bytes with any contents. It waits while many bytes are in use, and the caller holds no others.
func (s *server) buffer(n int) *buffer.Buffer {
	if n > smallBuffer {
		s.memory.acquire(n)
	}
	return buffer.New(n)
}

// recycle takes back what buffer has returned.
func (s *server) recycle(b *buffer.Buffer) {
	if n := len(b.Bytes); n > smallBuffer {
		s.memory.release(n)
	}
	b.Free()
}
