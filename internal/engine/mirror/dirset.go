package mirror

import (
	"sync"

	"psync/internal/vfs"
)

// A DirSet is a set of directories, identified by device and inode number, whatever their paths. The zero
// value is empty. Its methods are safe for concurrent use.
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

// AddNew calls create to make a directory, and adds it. Meanwhile Has waits, so no other worker sees the directory
// before it is in the set. AddNew returns the error of create.
func (s *DirSet) AddNew(create func() (vfs.ID, error)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	id, err := create()
	if err == nil {
		s.addLocked(id)
	}
	return err
}

// Has reports whether a directory is in the set.
func (s *DirSet) Has(id vfs.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids[id]
}
