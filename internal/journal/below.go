package journal

import (
	"slices"
	"strings"
)

// Below holds the subdirectories of a recorded directory.
type Below struct {
	Names []string // of the directories with records of their own, sorted
	Empty int64    // the number of others, which were empty
}

// Below returns the subdirectories of each directory. It holds the names of all directories in memory.
func (f *File) Below() (map[ID]Below, error) {
	last, err := f.latest()
	if err != nil {
		return nil, err
	}
	below := make(map[ID]Below)
	return below, f.visitLatest(last, func(d *Directory) {
		if len(d.Children) == 0 && d.Empty == 0 {
			return
		}
		b := below[d.ID] // of another part of its record
		b.Names, b.Empty = slices.Grow(b.Names, len(d.Children)), max(b.Empty, d.Empty)
		for _, name := range d.Children {
			b.Names = append(b.Names, strings.Clone(name))
		}
		slices.Sort(b.Names)
		b.Names = slices.Compact(b.Names)
		below[d.ID] = b
	}, nil)
}

// Recorded reports whether a directory has a record.
func (f *File) Recorded(id ID) (recorded bool, err error) {
	err = f.visit(visitor{directory: func(d *Directory) { recorded = recorded || d.ID == id }})
	return recorded, err
}
