package engine

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A possibleAlias is an entry of the source whose name some file systems take for that of
// another one, which is copied first.
type possibleAlias struct {
	entry vfs.Entry
	first string // the name of the other one
}

// aliases is what is known of those names in a directory of the source that some file systems
// take for one.
type aliases struct {
	keys  aliasKeySet     // of all names, but for those that exact leaves out
	parts int             // of the listing so far
	exact bool            // the destination tells case, so names in plain ASCII have no aliases
	apart []possibleAlias // what waits for others

	first       map[string]string   // by keys, the names that the listing has first; from its second part on
	sourceError error               // why that is not known
	listed      map[string][]string // by keys, the names that the destination has
	destError   error               // why that is not known
}

// setApart takes those entries out of a listing that may be aliases of others. What the
// destination makes of their names shows when the others are copied; until then nobody must touch
// them, for two workers would meet in the same entry.
func (w *worker) setApart(d *directory, entries []vfs.Entry) []vfs.Entry {
	a := &d.aliases
	if a.parts++; a.parts == 1 {
		a.keys, w.aliasKeys = w.aliasKeys, aliasKeySet{}
	} else if a.parts == 2 {
		a.exact = w.tellsCase(d)
	}
	if !a.exact {
		a.keys.grow(len(entries))
	}
	var again map[string][]vfs.Entry
	for _, e := range entries {
		if a.exact {
			if isPlain(e.Name) {
				continue
			}
			a.keys.grow(1)
		}
		if !a.keys.add(aliasHash(e.Name)) {
			if again == nil {
				again = make(map[string][]vfs.Entry)
			}
			again[strings.Clone(aliasKey(e.Name))] = nil // or it would keep all of the listing
		}
	}
	if again == nil {
		return entries
	}
	for _, e := range entries {
		key := aliasKey(e.Name)
		if same, ok := again[key]; ok && w.takesPart(d, e) {
			e.Name = strings.Clone(e.Name)
			again[key] = append(same, e)
		}
	}
	w.compareListings(d, maps.Keys(again))
	waits := make(map[string]bool)
	for key, same := range again {
		w.chooseFirst(d, key, same, waits)
	}
	return slices.DeleteFunc(entries, func(e vfs.Entry) bool { return waits[e.Name] })
}

// tellsCase reports whether the destination of d is known to. It is asked where the source has many
// entries, so that the memory for their names needs not grow: the first of them are there by now.
func (w *worker) tellsCase(d *directory) bool {
	if d.dst == nil || d.dstVolume.Folds {
		return false
	}
	folds, known := looksFolding(d.dst)
	return known && !folds
}

// compareListings finds out what the choice among names with the same key depends on: which of them
// the destination has, and what earlier parts of the listing had. It lists each side twice at
// most, however many parts there are.
func (w *worker) compareListings(d *directory, keys iter.Seq[string]) {
	a := &d.aliases
	if a.parts > 1 {
		if a.first != nil {
			return
		}
		if a.first, a.sourceError = w.firstNames(d); a.sourceError != nil {
			return
		}
		keys = maps.Keys(a.first)
	}
	if !d.fresh() && d.dst != nil {
		a.listed, a.destError = listAliases(d.dst, keys)
	}
}

// firstNames returns, for each key that several names of the source have, the one that is listed first.
func (w *worker) firstNames(d *directory) (map[string]string, error) {
	var keys aliasKeySet
	first := make(map[string]string)
	err := d.src.ReadDir(func(entries []vfs.Entry) error {
		keys.grow(len(entries))
		for _, e := range entries {
			if !keys.add(aliasHash(e.Name)) {
				first[strings.Clone(aliasKey(e.Name))] = ""
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = d.src.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			key := aliasKey(e.Name)
			if name, ok := first[key]; ok && name == "" && !w.hides(d, e.Name, e.Type.IsDir()) && w.takesPart(d, e) {
				first[key] = strings.Clone(e.Name)
			}
		}
		return nil
	})
	return first, err
}

// chooseFirst decides which of those entries with the same key is copied at once, and has the others
// wait. That depends neither on the order of the listing nor on the workers, but
// where a directory is listed in several parts: there an earlier part comes first.
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
			a.apart = append(a.apart, possibleAlias{e, first})
		}
		waits[e.Name] = true
	}
}

// takesPart reports whether an entry is copied at all, by its type and size.
func (w *worker) takesPart(d *directory, e vfs.Entry) bool {
	if !w.Compare && w.Policy.For(e.Type, plan.Absent) == plan.Skip {
		return false
	}
	if e.Type != 0 || w.Policy.MinSize == 0 && !w.Policy.LimitSize {
		return true
	}
	attr, err := w.stat(d, e.Name)
	return err != nil || !w.Policy.Omits(attr.Size)
}
