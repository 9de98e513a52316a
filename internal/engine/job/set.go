package job

import "sync"

// A Set is a set of entries, or of other things, that several workers may use at once. The zero value is empty.
type Set[K comparable] struct {
	mu sync.Mutex // guards m
	m  map[K]bool
}

// Add adds k, and reports whether it is new.
func (s *Set[K]) Add(k K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.addLocked(k)
}

func (s *Set[K]) addLocked(k K) bool {
	if s.m == nil {
		s.m = make(map[K]bool)
	}
	had := s.m[k]
	s.m[k] = true
	return !had
}

// AddNew adds what create makes, unless that fails. Meanwhile Has waits, so no other worker sees it before it is in the
// set. AddNew returns the error of create.
func (s *Set[K]) AddNew(create func() (K, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, err := create()
	if err == nil {
		s.addLocked(k)
	}
	return err
}

// Has reports whether k is in the set.
func (s *Set[K]) Has(k K) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[k]
}
