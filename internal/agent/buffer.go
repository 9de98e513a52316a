package agent

import (
	"sync"

	"psync/internal/wire"
)

// The sizes of buffers that are kept for further use, in bytes. Small ones are not counted: there are no more of
// them than requests at work.
const (
	smallBuffer = 16 << 10
	largeBuffer = 256 << 10
)

var (
	smallBuffers = sync.Pool{New: func() any { return new([smallBuffer]byte) }}
	largeBuffers = sync.Pool{New: func() any { return new([largeBuffer]byte) }}
)

// buffer returns n bytes with any contents. It waits while many bytes are in use, and the caller holds no others.
func (s *server) buffer(n int) []byte {
	switch {
	case n <= smallBuffer:
		return smallBuffers.Get().(*[smallBuffer]byte)[:n]
	case n <= largeBuffer:
		s.memory.acquire(largeBuffer)
		return largeBuffers.Get().(*[largeBuffer]byte)[:n]
	}
	s.memory.acquire(n)
	return make([]byte, n)[:n:n]
}

// recycle takes back what buffer has returned.
func (s *server) recycle(b []byte) {
	switch c := cap(b); c {
	case smallBuffer:
		smallBuffers.Put((*[smallBuffer]byte)(b[:c]))
	case largeBuffer:
		largeBuffers.Put((*[largeBuffer]byte)(b[:c]))
		s.memory.release(c)
	default:
		s.memory.release(c)
	}
}

// sent takes back what the answer to a request has held, which is sent.
func (s *server) sent(request, answer wire.Message) {
	switch a := answer.(type) {
	case *wire.Got:
		if a.Whole {
			s.recycle(a.Data)
		}
	case *wire.Data:
		if _, ok := request.(*wire.Read); ok {
			s.recycle(a.Data)
		}
	}
}
