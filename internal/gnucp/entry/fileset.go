package entry

import (
	"sync"

	"psync/internal/lazymap"
	"psync/internal/localfs"
	"psync/internal/vfs"
)

// A FileSet is a set of entries that were found, each with the name it was found by.
type FileSet struct {
	mu sync.Mutex // guards m
	m  map[vfs.ID][]string
}

// Holds reports whether an entry was added with the same name.
func (s *FileSet) Holds(path string, attr vfs.Attr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holdsLocked(path, attr)
}

func (s *FileSet) holdsLocked(path string, attr vfs.Attr) bool {
	for _, known := range s.m[attr.ID()] {
		if known == path || SameEntry(Place{At: localfs.Cwd, Name: known}, Place{At: localfs.Cwd, Name: path}, false) {
			return true
		}
	}
	return false
}

// Add adds an entry that was found at path.
func (s *FileSet) Add(path string, attr vfs.Attr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.holdsLocked(path, attr) {
		lazymap.Set(&s.m, attr.ID(), append(s.m[attr.ID()], path))
	}
}
