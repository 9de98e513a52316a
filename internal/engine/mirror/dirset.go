package mirror

import (
	"sync"

	"psync/internal/vfs"
)

// A DirSet is a set of directories, by whatever paths they are reached. Its methods are safe for
// concurrent use.
type DirSet struct {
	mu  sync.Mutex // guards ids
	ids map[vfs.ID]bool
}

// Add adds a directory.
func (s *DirSet) Add(id vfs.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addLocked(id)
}

func (s *DirSet) addLocked(id vfs.ID) {
	if s.ids == nil {
		s.ids = make(map[vfs.ID]bool)
	}
	s.ids[id] = true
}

// AddNew adds a directory that create makes. Meanwhile Has waits, so that nobody takes it for any other.
func (s *DirSet) AddNew(create func() (vfs.ID, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := create()
	if err == nil {
		s.addLocked(id)
	}
	return err
}

// Has reports whether a directory is one of them.
func (s *DirSet) Has(id vfs.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[id]
}
