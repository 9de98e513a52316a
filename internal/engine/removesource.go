package engine

import (
	"slices"
	"strings"

	"psync/internal/vfs"
)

// listWhole yields all entries of the source of d at once, each only once. Entries are removed while they are copied:
// a file system that numbers them by their position would leave out others of the rest of a listing.
func (w *worker) listWhole(d *directory, yield func([]vfs.Entry) error) error {
	var entries []vfs.Entry
	listError := d.Src.ReadDir(func(some []vfs.Entry) error {
		entries = append(entries, some...)
		return nil
	})
	slices.SortFunc(entries, func(a, b vfs.Entry) int { return strings.Compare(a.Name, b.Name) })
	entries = slices.CompactFunc(entries, func(a, b vfs.Entry) bool { return a.Name == b.Name })
	if err := yield(entries); err != nil {
		return err
	}
	return listError
}
