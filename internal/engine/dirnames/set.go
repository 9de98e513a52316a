// Package dirnames implements sets of the names of a directory, and determines which names a file
// system may not distinguish.
package dirnames

import (
	"hash/maphash"
	"slices"
)

// A Set holds the names of a directory, eight bytes each, so that those which
// another directory lacks can be found whatever the size of the directory. It stores
// hashes of names: a collision may spare an extraneous entry, but never removes one that is wanted.
type Set struct {
	hashes []uint64
	sorted bool
}

var seed = maphash.MakeSeed()

// Hash returns the hash that a [Set] stores for a name. It differs from process to process.
func Hash(name string) uint64 { return maphash.String(seed, name) }

// Add adds a name.
func (s *Set) Add(name string) {
	s.hashes = append(s.hashes, Hash(name))
	s.sorted = false
}

// AddHashes adds names by their hashes.
func (s *Set) AddHashes(hashes []uint64) {
	s.hashes = append(s.hashes, hashes...)
	s.sorted = false
}

// Len returns the number of names.
func (s *Set) Len() int { return len(s.hashes) }

// Sort must be called when the last name has been added, before Has, Lacks and Lacking.
func (s *Set) Sort() {
	if !s.sorted {
		slices.Sort(s.hashes)
		s.sorted = true
	}
}

// Has reports whether there is an entry of this name.
func (s *Set) Has(name string) bool { return s.hasHash(Hash(name)) }

func (s *Set) hasHash(h uint64) bool {
	_, ok := slices.BinarySearch(s.hashes, h)
	return ok
}

// Lacks reports whether any name of others is not in s.
func (s *Set) Lacks(others *Set) bool {
	return slices.ContainsFunc(others.hashes, func(h uint64) bool { return !s.hasHash(h) })
}

// Lacking returns the hashes of s that are not in listed, which must be sorted.
func (s *Set) Lacking(listed []uint64) []uint64 {
	var missing []uint64
	for _, h := range s.hashes {
		if _, ok := slices.BinarySearch(listed, h); !ok {
			missing = append(missing, h)
		}
	}
	return missing
}
