package journal

import (
	"encoding/binary"
	"slices"
)

// maxSome is about how many directories with links, or with removals, are in memory at a time.
const maxSome = 100_000

// A Location is a directory below a root.
type Location struct {
	Root int    // the index of the root
	Path string // below the root; "" is the root itself

	Extraneous int64 // how many entries are to be removed, with those in directories among them
}

// Links calls visit once for each directory that holds entries with several names.
func (f *File) Links(visit func(Location) error) error {
	return f.some(func(d *Directory) bool { return d.HasLinks }, visit)
}

// Removals calls visit once for each directory from which entries were left to be removed.
func (f *File) Removals(visit func(Location) error) error {
	return f.some(func(d *Directory) bool { return d.Unremoved }, visit)
}

// some calls visit once for each directory that has something.
func (f *File) some(has func(*Directory) bool, visit func(Location) error) error {
	last, err := f.latest()
	if err != nil {
		return err
	}
	n := uint64(0)
	err = f.visitLatest(last, func(d *Directory) {
		if has(d) {
			n++
		}
	}, nil)
	parts := n/maxSome + 1
	for part := uint64(0); part < parts && err == nil && n > 0; part++ {
		in := func(id ID) bool { return uint64(binary.BigEndian.Uint32(id[:]))*parts>>32 == part }
		err = f.visitSome(last, func(d *Directory) bool { return has(d) && in(d.ID) }, visit)
	}
	return err
}

// visitSome is some for so few directories that memory has their paths.
func (f *File) visitSome(last map[ID]int64, has func(*Directory) bool, visit func(Location) error) error {
	var ids []ID
	extraneous := make(map[ID]int64)
	err := f.visitLatest(last, func(d *Directory) {
		if has(d) {
			ids = append(ids, d.ID)
			if d.Unremoved {
				extraneous[d.ID] = d.Removals.Extraneous
			}
		}
	}, nil)
	if err != nil {
		return err
	}
	slices.SortFunc(ids, ID.Compare)
	ids = slices.Compact(ids) // two workers may have recorded one directory
	t, err := f.findAncestry(ids, last)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if at, ok := t.path(id); ok { // otherwise no root leads to it any more
			if err := visit(Location{at.Root, at.Path, extraneous[id]}); err != nil {
				return err
			}
		}
	}
	return nil
}
