package memfs

import (
	"slices"
	"strings"

	"psync/internal/vfs"
)

// A Listing says how an [FS] lists a directory that changes during the listing.
type Listing uint8

const (
	// ListSnapshot lists the entries that existed at the beginning.
	ListSnapshot Listing = iota
	// ListByPosition begins each chunk of a listing at the position where the last chunk ended, counted among the
	// entries that exist by then, as HFS+ and some servers do: each entry before that position that was removed hides
	// another one.
	ListByPosition
	// ListTwice lists all entries, and then lists once more those that exist by then, as smbfs does when its position
	// in the listing is gone.
	ListTwice
)

const (
	// listChunk is how many entries ReadDir yields at a time: few, so that small
	// tests see more than one chunk.
	listChunk = 100
	// positionChunk is listChunk for ListByPosition.
	positionChunk = 3
)

// SetListing sets how directories are listed.
func (m *FS) SetListing(l Listing) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listing = l
}

// Listing returns how directories are listed.
func (m *FS) Listing() Listing {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.listing
}

// ReadDir yields the entries in descending order, which is the same in every run but not the order that a careless
// caller would hope for.
func (d *memDir) ReadDir(yield func([]vfs.Entry) error) error {
	list, err := d.entries()
	if err != nil {
		return err
	}
	how := d.m.Listing()
	if how == ListByPosition {
		return d.readByPosition(list, yield)
	}
	for err == nil {
		if err := yieldAll(list, yield); err != nil || how != ListTwice {
			return err
		}
		how = ListSnapshot
		list, err = d.entries()
	}
	return err
}

func (d *memDir) readByPosition(list []vfs.Entry, yield func([]vfs.Entry) error) (err error) {
	for at := 0; at < len(list); at += positionChunk {
		if err := yield(list[at:min(at+positionChunk, len(list))]); err != nil {
			return err
		}
		if list, err = d.entries(); err != nil {
			return err
		}
	}
	return nil
}

func yieldAll(list []vfs.Entry, yield func([]vfs.Entry) error) error {
	for chunk := range slices.Chunk(list, listChunk) {
		if err := yield(chunk); err != nil {
			return err
		}
		clear(chunk) // a caller that kept it will notice
	}
	return nil
}

// entries returns the current entries.
func (d *memDir) entries() (list []vfs.Entry, err error) {
	err = d.do("readdir", ".", func() error {
		if err := d.kernel.Fetch(d.node); err != nil {
			return err
		}
		for name, n := range d.node.Entries.All() {
			list = append(list, vfs.Entry{Name: name, Type: n.Mode.Type()})
		}
		return nil
	})
	slices.SortFunc(list, func(a, b vfs.Entry) int { return strings.Compare(b.Name, a.Name) })
	return list, err
}
