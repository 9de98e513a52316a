package engine

import (
	"hash/maphash"
	"slices"
)

// names remembers the entries of a directory of the source, eight bytes each, so
// that those of the destination which it lacks can be found whatever the size of
// the directory. It knows names by their hashes: that two names share one may
// spare an entry, but never costs one.
type names struct {
	seed   maphash.Seed
	hashes []uint64
	sorted bool
}

func newNames() *names { return &names{seed: maphash.MakeSeed()} }

func (n *names) hash(name string) uint64 { return maphash.String(n.seed, name) }

func (n *names) add(name string) {
	n.hashes = append(n.hashes, n.hash(name))
	n.sorted = false
}

// has reports whether the source has this name.
func (n *names) has(name string) bool {
	if !n.sorted {
		slices.Sort(n.hashes)
		n.sorted = true
	}
	_, ok := slices.BinarySearch(n.hashes, n.hash(name))
	return ok
}

// lacking returns the hashes of those names that are not listed, which is sorted.
func (n *names) lacking(listed []uint64) []uint64 {
	var missing []uint64
	for _, h := range n.hashes {
		if _, ok := slices.BinarySearch(listed, h); !ok {
			missing = append(missing, h)
		}
	}
	slices.Sort(missing)
	return missing
}
