package walk

import (
	"sync"
	"sync/atomic"
)

// A Size is the number of workers of a pool. It may change while the workers are running.
type Size struct {
	most    int
	n       atomic.Int32
	mu      sync.Mutex    // guards what follows, and changes of n
	growTo  int           // up to which number workers are added while calls wait
	changed chan struct{} // closed with the next change
}

// NewSize returns a Size of n, which can grow to most.
func NewSize(n, most int) *Size {
	s := &Size{most: max(most, 1), changed: make(chan struct{})}
	s.n.Store(int32(s.within(n)))
	return s
}

func (s *Size) within(n int) int { return min(max(n, 1), s.most) }

// GrowTo has a pool add workers, up to n, while calls wait. That ends with the next call of Set, Double or Halve.
func (s *Size) GrowTo(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.growTo = s.within(n)
}

// Set changes the number to n, or to the nearest possible number. If there are too many workers, some of them
// stop when their current work is done.
func (s *Size) Set(n int) { s.set(func(int) int { return n }) }

// Double doubles the number.
func (s *Size) Double() { s.set(func(n int) int { return 2 * n }) }

// Halve halves the number.
func (s *Size) Halve() { s.set(func(n int) int { return n / 2 }) }

func (s *Size) set(f func(int) int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.growTo = 0
	s.setLocked(f(s.Get()))
}

// Add adds n to the number, and to that of GrowTo.
func (s *Size) Add(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.growTo > 0 {
		s.growTo = s.within(s.growTo + n)
	}
	s.setLocked(s.Get() + n)
}

func (s *Size) mayGrow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Get() < s.growTo
}

// changeWhileGrowing sets the number to n, and reports whether the pool may still change it.
func (s *Size) changeWhileGrowing(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.growTo == 0 {
		return false
	}
	s.setLocked(min(n, s.growTo))
	return true
}

func (s *Size) setLocked(n int) {
	n = s.within(n)
	if n == s.Get() {
		return
	}
	s.n.Store(int32(n))
	close(s.changed)
	s.changed = make(chan struct{})
}

// Get returns the number.
func (s *Size) Get() int { return int(s.n.Load()) }

// Later returns the number that it may grow to while calls wait, or the number.
func (s *Size) Later() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return max(s.Get(), s.growTo)
}

// Max returns the largest possible number.
func (s *Size) Max() int { return s.most }

// get returns the number, and a channel that is closed when the number changes.
func (s *Size) get() (n int, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Get(), s.changed
}
