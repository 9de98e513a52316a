package dirnames

import (
	"cmp"
	"hash/maphash"
	"strings"
	"sync"
	"unicode/utf8"

	"psync/internal/metadata"
)

// Key returns a key that is equal for names that some file system does not distinguish: names that differ only in
// case, in how letters are composed, or in dots and spaces at the end.
func Key(name string) string {
	if last := len(name) - 1; last > 0 && (name[last] == '.' || name[last] == ' ') {
		name = cmp.Or(strings.TrimRight(name, ". "), name)
	}
	return metadata.Folding(true).Key(name)
}

var (
	seedOnce sync.Once
	madeSeed maphash.Seed
)

// seed returns the seed of all hashes.
func seed() maphash.Seed {
	seedOnce.Do(func() { madeSeed = maphash.MakeSeed() })
	return madeSeed
}

// Hash returns the hash that a [Set] stores for a name. It differs from process to process.
func Hash(name string) uint64 { return maphash.String(seed(), name) }

// KeyHash returns the hash of the [Key] of a name. It is called for each name of a tree, and so has a
// fast path for ASCII, which most names are.
func KeyHash(name string) uint64 {
	var lower [64]byte
	if len(name) == 0 || len(name) > len(lower) {
		return Hash(Key(name))
	}
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return Hash(Key(name))
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	if last := lower[len(name)-1]; last == '.' || last == ' ' {
		return Hash(Key(name))
	}
	return maphash.Bytes(seed(), lower[:len(name)])
}

// A KeySet is a set of the hashes of keys; see [KeyHash]. It takes 16 bytes per name, or slightly more.
type KeySet struct {
	slots []uint64 // the length is a power of two; 0 marks a free slot
	n     int
}

// Grow makes room for n more hashes.
func (s *KeySet) Grow(n int) {
	size := 8
	for size < 2*(s.n+n) {
		size *= 2
	}
	if size <= len(s.slots) {
		return
	}
	old := s.slots
	if s.n == 0 && size <= cap(old) {
		s.slots = old[:size]
		clear(s.slots)
		return
	}
	s.slots, s.n = make([]uint64, size), 0
	for _, h := range old {
		if h != 0 {
			s.Add(h)
		}
	}
}

// maxSpareSlots limits the memory that an empty set keeps.
const maxSpareSlots = 4096

// Emptied returns an empty set that reuses the memory of s, unless that is large: new memory costs a page fault for
// each page, which is more than all other work with the set.
func (s KeySet) Emptied() KeySet {
	if cap(s.slots) > maxSpareSlots {
		return KeySet{}
	}
	return KeySet{slots: s.slots[:0]}
}

// Len returns the number of hashes.
func (s *KeySet) Len() int { return s.n }

// Add adds a hash and reports whether it is new. There must be room for it; see Grow.
func (s *KeySet) Add(h uint64) bool {
	h = max(h, 1)
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case 0:
			s.slots[i] = h
			s.n++
			return true
		case h:
			return false
		}
	}
}

// IsPlain reports whether every file system has only one spelling of a name, apart from case: some compose letters of
// others, or drop dots and spaces at the end.
func IsPlain(name string) bool {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return false
		}
	}
	return !strings.HasSuffix(name, ".") && !strings.HasSuffix(name, " ")
}
