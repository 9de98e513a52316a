package walk

import (
	"sync"
	"sync/atomic"
)

// A Size is how many workers a pool has. It may change while they are at work.
type Size struct {
	most    int
	n       atomic.Int32
	mu      sync.Mutex    // guards what follows, and changes of n
	changed chan struct{} // closed with the next change
}

// NewSize returns n, which may become most.
func NewSize(n, most int) *Size {
	s := &Size{most: max(most, 1), changed: make(chan struct{})}
	s.n.Store(int32(s.within(n)))
	return s
}

func (s *Size) within(n int) int { return min(max(n, 1), s.most) }

// Set changes the number to n, or to the next one that is possible. Workers that are too
// many go on until what they have in hand is done.
func (s *Size) Set(n int) { s.set(func(int) int { return n }) }

// Double changes the number to twice what it is.
func (s *Size) Double() { s.set(func(n int) int { return 2 * n }) }

// Halve changes the number to half of what it is.
func (s *Size) Halve() { s.set(func(n int) int { return n / 2 }) }

func (s *Size) set(f func(int) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.within(f(s.Get()))
	if n == s.Get() {
		return
	}
	s.n.Store(int32(n))
	close(s.changed)
	s.changed = make(chan struct{})
}

// Get returns the number.
func (s *Size) Get() int { return int(s.n.Load()) }

// Max returns the largest number that there may be.
func (s *Size) Max() int { return s.most }

// get returns the number, and what is closed when there is another one.
func (s *Size) get() (n int, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Get(), s.changed
}
