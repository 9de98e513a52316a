package engine

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"strings"
	"unicode/utf8"

	"psync/internal/metadata"
)

// An aliasError says that the destination has one entry for two names of the source.
type aliasError struct{ first string }

func (e *aliasError) Error() string {
	return fmt.Sprintf("is the same name as %q to the destination, so it was left out; rename one of them", e.first)
}

func (e *aliasError) Is(err error) bool { return err == errCollision }

// aliasKey returns what names have in common that any file system takes for one: they differ
// in case, in how letters are composed, or in dots and spaces at the end.
func aliasKey(name string) string {
	if last := len(name) - 1; last > 0 && (name[last] == '.' || name[last] == ' ') {
		name = cmp.Or(strings.TrimRight(name, ". "), name)
	}
	return metadata.Folding(true).Key(name)
}

// aliasHash returns the hash of a name's key. It is called for each name of a tree, and so has a
// short way for what most are: ASCII.
func aliasHash(name string) uint64 {
	var lower [64]byte
	if len(name) == 0 || len(name) > len(lower) {
		return hash(aliasKey(name))
	}
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return hash(aliasKey(name))
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower[i] = c
	}
	if last := lower[len(name)-1]; last == '.' || last == ' ' {
		return hash(aliasKey(name))
	}
	return maphash.Bytes(seed, lower[:len(name)])
}

// An aliasKeySet is a set of hashes of such keys: 16 bytes a name, or a little more.
type aliasKeySet struct {
	slots []uint64 // a power of two of them; 0 is free
	n     int
}

// grow makes room for n more.
func (s *aliasKeySet) grow(n int) {
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
			s.add(h)
		}
	}
}

// mostSpareSlots limits the memory that an empty set keeps.
const mostSpareSlots = 4096

// emptied returns an empty set that uses the memory of s again, unless that is much: memory that
// is new costs a page fault for each page, which is more than all that is done with it.
func (s aliasKeySet) emptied() aliasKeySet {
	if cap(s.slots) > mostSpareSlots {
		return aliasKeySet{}
	}
	return aliasKeySet{slots: s.slots[:0]}
}

// add adds a hash, for which there is room, and reports whether it is new.
func (s *aliasKeySet) add(h uint64) bool {
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
