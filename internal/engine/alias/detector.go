// Package alias finds entries of the source whose names the destination may not distinguish: names that
// differ only in case, in how letters are composed, or in dots and spaces at the end.
package alias

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"psync/internal/engine/dirnames"
	"psync/internal/lazymap"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Known is what is known of a directory of the destination.
type Known struct {
	New   bool // it holds only what this run made
	Folds bool // its volume does not distinguish some names
}

// A Deferred is an entry of the source whose name some file systems do not distinguish from that
// of another entry, which is copied first.
type Deferred struct {
	vfs.Entry
	First string // the name of the other entry
}

// A Failure is an entry that cannot be copied, because it could not be determined which entry comes first.
type Failure struct {
	vfs.Entry
	OnDest bool // listing the destination failed, not the source
	Err    error
}

// A Detector records the names in one source directory that some file systems do not distinguish. Such names have the
// same [dirnames.Key]. The zero value is ready for use.
type Detector struct {
	keys          dirnames.KeySet // of all names listed so far, except those that caseSensitive makes unique
	chunks        int             // of the listing so far
	asked         bool            // whether the destination is case-sensitive was checked
	caseSensitive bool            // it is, so names in plain ASCII have no aliases
	deferred      []Deferred      // entries that wait until others are copied

	first       map[string]string   // by key, the name that was listed first; from the second chunk on
	sourceError error               // why first is unknown
	listed      map[string][]string // by key, the names in the destination
	destError   error               // why listed is unknown
}

// End must be called when the directory has been listed. It returns the deferred entries. The Detector may then be
// used for another directory.
func (a *Detector) End() []Deferred {
	deferred := a.deferred
	*a = Detector{keys: a.keys.Emptied()}
	return deferred
}

// Names returns how many names the Detector holds.
func (a *Detector) Names() int { return a.keys.Len() }

// Defer removes from a chunk of a listing the entries that may be aliases of others. Whether they are is known when
// the others have been copied. Until then they must be left alone, since otherwise two workers might write the same
// entry of the destination. Only entries for which copied returns true count. The entries are those of src, whose
// counterpart is dst, or nil if there is none.
func (a *Detector) Defer(src, dst vfs.Dir, known Known, entries []vfs.Entry, copied func(vfs.Entry) bool) (rest []vfs.Entry, failures []Failure) {
	if a.chunks++; a.chunks > 1 && !a.asked && a.keys.Len() >= manyNames {
		a.asked, a.caseSensitive = true, !known.Folds && isCaseSensitive(dst)
	}
	if !a.caseSensitive {
		a.keys.Grow(len(entries))
	}
	var collisions map[string][]vfs.Entry
	for _, e := range entries {
		if a.caseSensitive {
			if dirnames.IsPlain(e.Name) {
				continue
			}
			a.keys.Grow(1)
		}
		if !a.keys.Add(dirnames.KeyHash(e.Name)) {
			lazymap.Set(&collisions, strings.Clone(dirnames.Key(e.Name)), nil) // a clone, so that the rest of the listing can be freed
		}
	}
	if collisions == nil {
		return entries, nil
	}
	for _, e := range entries {
		key := dirnames.Key(e.Name)
		if same, ok := collisions[key]; ok && copied(e) {
			e.Name = strings.Clone(e.Name)
			collisions[key] = append(same, e)
		}
	}
	a.compareListings(src, dst, known, maps.Keys(collisions), copied)
	waits := make(map[string]bool)
	for key, same := range collisions {
		failures = a.chooseFirst(key, same, waits, failures)
	}
	return slices.DeleteFunc(entries, func(e vfs.Entry) bool { return waits[e.Name] }), failures
}

// manyNames is how many names are held before checking whether that is necessary. The check may list the destination,
// which would not pay for a few names. A chunk may be as short as one name: a signal ends getdents64(2).
const manyNames = 500

// isCaseSensitive reports whether dst is known to be case-sensitive. It is called when entries of an earlier chunk have
// been copied, to save the memory for the keys of all names of a large directory.
func isCaseSensitive(dst vfs.Dir) bool {
	if dst == nil {
		return false
	}
	folds, known := dirnames.FoldsCase(dst)
	return known && !folds
}

// compareListings finds out what the choice among names with the same key depends on: which of them the destination
// has, and which was listed first. It lists each side at most twice, however many chunks there are.
func (a *Detector) compareListings(src, dst vfs.Dir, known Known, keys iter.Seq[string], copied func(vfs.Entry) bool) {
	if a.chunks > 1 {
		if a.first != nil {
			return
		}
		if a.first, a.sourceError = firstNames(src, copied); a.sourceError != nil {
			return
		}
		keys = maps.Keys(a.first)
	}
	if !known.New && dst != nil {
		a.listed, a.destError = dirnames.ListAliases(dst, keys)
	}
}

// firstNames returns, for each key that several names of the source share, the one that is listed first.
func firstNames(src vfs.Dir, copied func(vfs.Entry) bool) (map[string]string, error) {
	var keys dirnames.KeySet
	first := make(map[string]string)
	err := src.ReadDir(func(entries []vfs.Entry) error {
		keys.Grow(len(entries))
		for _, e := range entries {
			if !keys.Add(dirnames.KeyHash(e.Name)) {
				first[strings.Clone(dirnames.Key(e.Name))] = ""
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = src.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			key := dirnames.Key(e.Name)
			if name, ok := first[key]; ok && name == "" && copied(e) {
				first[key] = strings.Clone(e.Name)
			}
		}
		return nil
	})
	return first, err
}

// chooseFirst decides which of the entries with the same key is copied at once, and defers the others. The choice
// depends neither on the order of the listing nor on the number of workers, except that in a directory that is listed
// in several chunks, the earliest chunk comes first.
func (a *Detector) chooseFirst(key string, same []vfs.Entry, waits map[string]bool, failures []Failure) []Failure {
	if len(same) == 0 {
		return failures
	}
	slices.SortFunc(same, func(a, b vfs.Entry) int { return strings.Compare(a.Name, b.Name) })
	names := make([]string, len(same))
	for i := range same {
		names[i] = same[i].Name
	}
	first := a.first[key]
	earlier := first != "" && !slices.Contains(names, first)
	if !earlier {
		first = names[plan.Primary(names, a.listed[key])]
	}
	for _, e := range same {
		switch {
		case a.sourceError != nil:
			failures = append(failures, Failure{e, false, a.sourceError})
		case a.destError != nil && !earlier && len(same) > 1:
			failures = append(failures, Failure{e, true, a.destError})
		case e.Name == first:
			continue
		default:
			a.deferred = append(a.deferred, Deferred{e, first})
		}
		waits[e.Name] = true
	}
	return failures
}
