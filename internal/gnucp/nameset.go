package gnucp

import (
	"sync"

	"psync/internal/localfs"
	"psync/internal/vfs"
)

// A nameSet holds entries that were met by their names.
type nameSet struct {
	mu sync.Mutex // guards m
	m  map[vfs.ID][]string
}

// holds reports whether an entry was met by the same name.
func (s *nameSet) holds(path string, attr vfs.Attr) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holdsLocked(path, attr)
}

func (s *nameSet) holdsLocked(path string, attr vfs.Attr) bool {
	for _, known := range s.m[attr.ID()] {
		if known == path || sameEntry(place{at: localfs.Cwd, name: known}, place{at: localfs.Cwd, name: path}, false) {
			return true
		}
	}
	return false
}

// add says that an entry was met.
func (s *nameSet) add(path string, attr vfs.Attr) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = make(map[vfs.ID][]string)
	}
	if !s.holdsLocked(path, attr) {
		s.m[attr.ID()] = append(s.m[attr.ID()], path)
	}
}
