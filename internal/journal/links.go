package journal

import (
	"encoding/binary"
	"slices"
)

// maxLinked is about how many of the directories that hold entries with several names are in memory at a time.
const maxLinked = 100_000

// A Location is a directory below a root.
type Location struct {
	Root int    // the index of the root
	Path string // below the root; "" is the root itself
}

// Links calls visit once for each directory that holds entries with several names.
func (f *File) Links(visit func(Location) error) error {
	last, err := f.latest()
	if err != nil {
		return err
	}
	n := uint64(0)
	err = f.visitLatest(last, func(d *Directory) {
		if d.HasLinks {
			n++
		}
	}, nil)
	parts := n/maxLinked + 1
	for part := uint64(0); part < parts && err == nil && n > 0; part++ {
		err = f.visitLinks(last, func(id ID) bool { return uint64(binary.BigEndian.Uint32(id[:]))*parts>>32 == part }, visit)
	}
	return err
}

// visitLinks is Links for some of the directories.
func (f *File) visitLinks(last map[ID]int64, in func(ID) bool, visit func(Location) error) error {
	var ids []ID
	err := f.visitLatest(last, func(d *Directory) {
		if d.HasLinks && in(d.ID) {
			ids = append(ids, d.ID)
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
			if err := visit(Location{at.Root, at.Path}); err != nil {
				return err
			}
		}
	}
	return nil
}
