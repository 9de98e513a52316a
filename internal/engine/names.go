package engine

import (
	"hash/maphash"
	"slices"
)

// names remembers the entries of a directory, eight bytes each, so that those which
// another one lacks can be found whatever the size of the directory. It knows names by
// their hashes: that two names share one may spare an entry, but never costs one.
type names struct {
	hashes []uint64
	sorted bool
}

var seed = maphash.MakeSeed()

func hash(name string) uint64 { return maphash.String(seed, name) }

func (n *names) add(name string) {
	n.hashes = append(n.hashes, hash(name))
	n.sorted = false
}

// sort is called before has, when nothing is to be added any more.
func (n *names) sort() {
	if !n.sorted {
		slices.Sort(n.hashes)
		n.sorted = true
	}
}

// has reports whether there is an entry of this name.
func (n *names) has(name string) bool { return n.hasHash(hash(name)) }

func (n *names) hasHash(h uint64) bool {
	_, ok := slices.BinarySearch(n.hashes, h)
	return ok
}

// lacks reports whether any of the others is not there.
func (n *names) lacks(others *names) bool {
	return slices.ContainsFunc(others.hashes, func(h uint64) bool { return !n.hasHash(h) })
}

// lacking returns the hashes of those names that are not listed, which is sorted.
func (n *names) lacking(listed []uint64) []uint64 {
	var missing []uint64
	for _, h := range n.hashes {
		if _, ok := slices.BinarySearch(listed, h); !ok {
			missing = append(missing, h)
		}
	}
	return missing
}
