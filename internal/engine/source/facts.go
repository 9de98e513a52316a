package source

import (
	"errors"

	"psync/internal/vfs"
)

// FewNames is how many entries of a directory on a network are looked up, each by a round trip, before it is worthwhile to
// list it.
const FewNames = 2

// ListFacts calls yield with the entries of a listing until yield returns false, or the listing reports no attributes of
// an entry. whole reports whether yield was called with all entries.
func ListFacts(d vfs.Dir, yield func(vfs.Entry) bool) (whole bool) {
	stop := errors.New("the rest is not needed")
	return d.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			if e.Facts == nil || !yield(e) {
				return stop
			}
		}
		return nil
	}) == nil
}

// listNames returns what a listing says of the entries of d called names, if d is on a network. What it leaves out is to be
// looked up.
func listNames(d vfs.Dir, names []string) map[string]*vfs.Facts {
	if len(names) <= FewNames {
		return nil
	}
	if v, err := d.Statfs(); err != nil || !v.Network {
		return nil
	}
	facts := make(map[string]*vfs.Facts, len(names))
	for _, name := range names {
		facts[name] = nil
	}
	missing := len(facts)
	ListFacts(d, func(e vfs.Entry) bool {
		if _, named := facts[e.Name]; named {
			facts[e.Name] = e.Facts
			missing--
		}
		return missing > 0
	})
	return facts
}
