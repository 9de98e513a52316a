//go:build linux || freebsd

package localfs

import (
	"sync"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// A listing is the buffer of ReadDir, reused from one directory to the next.
type listing struct {
	dirents [32 << 10]byte // what one call returns: some 1,000 entries
	names   []byte
	ends    []int
	entries []vfs.Entry
}

var listings = sync.Pool{New: func() any { return new(listing) }}

// readEntries yields the entries of d. It reads them from fd, a descriptor of d that shares its position with no other.
func (d *dir) readEntries(fd int, yield func([]vfs.Entry) error) error {
	l := listings.Get().(*listing)
	defer listings.Put(l)
	for {
		n, err := sys.Getdents(fd, l.dirents[:])
		if err != nil {
			return vfs.PathError("readdir", ".", err)
		}
		if n == 0 {
			return nil
		}
		entries := l.parse(d, l.dirents[:n])
		if len(entries) == 0 {
			continue
		}
		if err := yield(entries); err != nil {
			return err
		}
	}
}

// parse turns a buffer that Getdents has filled into entries. All names of a chunk are slices of one string, so there
// is one allocation for all of them. Callers may still hold the names of the last chunk.
func (l *listing) parse(d *dir, buf []byte) []vfs.Entry {
	l.names = l.names[:0]
	l.ends = l.ends[:0]
	l.entries = l.entries[:0]
	for {
		e, rest, ok := sys.NextDirent(buf)
		if !ok {
			break
		}
		buf = rest
		if string(e.Name) == "." || string(e.Name) == ".." || sys.ListsRemoved && e.Ino == 0 {
			continue
		}
		l.names = append(l.names, e.Name...)
		l.ends = append(l.ends, len(l.names))
		l.entries = append(l.entries, vfs.Entry{Type: direntType(e.Type), Ino: e.Ino})
	}
	names, start := string(l.names), 0
	for i := range l.entries {
		e := &l.entries[i]
		e.Name = names[start:l.ends[i]]
		start = l.ends[i]
		if e.Type == unknownType {
			e.Type = d.typeOf(e.Name)
		}
	}
	return l.entries
}
