package engine

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"psync/internal/engine/dirnames"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A possibleAlias is an entry of the source whose name some file systems do not distinguish from that
// of another entry, which is copied first.
type possibleAlias struct {
	entry vfs.Entry
	first string // the name of the other entry
}

// aliases is what is known of the names in a source directory that some file systems do not
// distinguish. Such names have the same aliasKey.
type aliases struct {
	keys          dirnames.KeySet // of all names listed so far, except those that caseSensitive makes unique
	chunks        int             // of the listing so far
	caseSensitive bool            // the destination is, so that names in plain ASCII have no aliases
	deferred      []possibleAlias // entries that wait until others are copied

	first       map[string]string   // by key, the name that was listed first; from the second chunk on
	sourceError error               // of finding that out
	listed      map[string][]string // by key, the names in the destination
	destError   error               // of finding that out
}

// deferAliases takes out of a chunk of a listing the entries that may be aliases of others. Whether they
// are is known when the others are copied. Until then they must be left alone, or else two
// workers might write the same entry of the destination.
func (w *worker) deferAliases(d *directory, entries []vfs.Entry) []vfs.Entry {
	a := &d.aliases
	if a.chunks++; a.chunks == 1 {
		a.keys, w.aliasKeys = w.aliasKeys, dirnames.KeySet{}
	} else if a.chunks == 2 {
		a.caseSensitive = w.isCaseSensitive(d)
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
			if collisions == nil {
				collisions = make(map[string][]vfs.Entry)
			}
			collisions[strings.Clone(dirnames.Key(e.Name))] = nil // a clone, so that the rest of the listing can be freed
		}
	}
	if collisions == nil {
		return entries
	}
	for _, e := range entries {
		key := dirnames.Key(e.Name)
		if same, ok := collisions[key]; ok && w.passesPolicy(d, e) {
			e.Name = strings.Clone(e.Name)
			collisions[key] = append(same, e)
		}
	}
	w.compareListings(d, maps.Keys(collisions))
	waits := make(map[string]bool)
	for key, same := range collisions {
		w.chooseFirst(d, key, same, waits)
	}
	return slices.DeleteFunc(entries, func(e vfs.Entry) bool { return waits[e.Name] })
}

// isCaseSensitive reports whether the destination of d is known to be case-sensitive. It is called from the
// second chunk on, when entries of the first have been copied, to save the memory for the keys of all
// names of a large directory.
func (w *worker) isCaseSensitive(d *directory) bool {
	if d.dst == nil || d.dstVolume.Folds {
		return false
	}
	folds, known := dirnames.FoldsCase(d.dst)
	return known && !folds
}

// compareListings finds out what the choice among names with the same key depends on: which of them
// the destination has, and which of them was listed first. It lists each side twice at most, however
// many chunks there are.
func (w *worker) compareListings(d *directory, keys iter.Seq[string]) {
	a := &d.aliases
	if a.chunks > 1 {
		if a.first != nil {
			return
		}
		if a.first, a.sourceError = w.firstNames(d); a.sourceError != nil {
			return
		}
		keys = maps.Keys(a.first)
	}
	if !d.fresh() && d.dst != nil {
		a.listed, a.destError = dirnames.ListAliases(d.dst, keys)
	}
}

// firstNames returns, for each key that several names of the source share, the one that is listed first.
func (w *worker) firstNames(d *directory) (map[string]string, error) {
	var keys dirnames.KeySet
	first := make(map[string]string)
	path := d.path("")
	err := d.src.ReadDir(func(entries []vfs.Entry) error {
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
	err = d.src.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			key := dirnames.Key(e.Name)
			if name, ok := first[key]; ok && name == "" && !w.selector.Hides(path, e.Name, e.Type.IsDir()) && w.passesPolicy(d, e) {
				first[key] = strings.Clone(e.Name)
			}
		}
		return nil
	})
	return first, err
}

// chooseFirst decides which of those entries with the same key is copied at once, and defers the others.
// The choice depends neither on the order of the listing nor on the number of workers, except that
// in a directory that is listed in several chunks, the earliest chunk comes first.
func (w *worker) chooseFirst(d *directory, key string, same []vfs.Entry, waits map[string]bool) {
	if len(same) == 0 {
		return
	}
	slices.SortFunc(same, func(a, b vfs.Entry) int { return strings.Compare(a.Name, b.Name) })
	names := make([]string, len(same))
	for i := range same {
		names[i] = same[i].Name
	}
	a := &d.aliases
	first := a.first[key]
	earlier := first != "" && !slices.Contains(names, first)
	if !earlier {
		first = names[plan.Primary(names, a.listed[key])]
	}
	for _, e := range same {
		fails := report.Event{Name: e.Name, IsDir: e.Type.IsDir()}
		switch {
		case a.sourceError != nil:
			fails.Err = a.sourceError
			w.failed(d, onSource, fails)
		case a.destError != nil && !earlier && len(same) > 1:
			fails.Err = a.destError
			w.failed(d, onDest, fails)
		case e.Name == first:
			continue
		default:
			a.deferred = append(a.deferred, possibleAlias{e, first})
		}
		waits[e.Name] = true
	}
}

// passesPolicy reports whether the policy lets an entry of this type and size be copied.
func (w *worker) passesPolicy(d *directory, e vfs.Entry) bool {
	if !w.Policy.Copies(e.Type) {
		return false
	}
	if e.Type != 0 || !w.Policy.LimitsSize() {
		return true
	}
	attr, err := w.stat(d, e.Name)
	return err != nil || !w.Policy.OmitsSize(attr.Size)
}
