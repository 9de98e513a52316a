// Package dirnames implements sets of the names of a directory, and determines which names a file
// system may not distinguish.
package dirnames

import (
	"slices"
)

// A Set holds the names of a directory, eight bytes each, so that the names which another directory lacks can be
// found whatever the size of the directory. It stores hashes of names: a collision may keep an extraneous entry, but
// never removes one that is wanted.
type Set struct {
	hashes []uint64
	sorted bool
}

// Add adds a name.
func (s *Set) Add(name string) {
	if n := len(s.hashes); n == cap(s.hashes) {
		s.hashes = slices.Grow(s.hashes, max(n, 8)) // append would leave four times as much garbage
	}
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

// Sort must be called when the last name has been added, before Has, Lacks and Subset.
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

// A Subset is a part of a [Set]. It takes one bit for each name of the set.
type Subset struct {
	set  *Set
	bits []uint64
}

// Subset returns an empty subset of s. No more names may be added to s.
func (s *Set) Subset() *Subset { return &Subset{s, make([]uint64, (len(s.hashes)+63)/64)} }

// Add adds a name if the set has it, and reports whether it does.
func (p *Subset) Add(name string) bool {
	i, ok := slices.BinarySearch(p.set.hashes, Hash(name))
	if ok {
		p.bits[i/64] |= 1 << (i % 64)
	}
	return ok
}

// Rest returns the hashes of the names that are in the set but not in the subset, in order.
func (p *Subset) Rest() []uint64 {
	var rest []uint64
	for i, h := range p.set.hashes {
		same := i > 0 && h == p.set.hashes[i-1] // equal to the previous one, which stands for both
		if !same && p.bits[i/64]&(1<<(i%64)) == 0 {
			rest = append(rest, h)
		}
	}
	return rest
}
