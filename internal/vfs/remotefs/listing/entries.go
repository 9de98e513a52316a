package listing

import (
	"hash/maphash"
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/vfs/remotefs/session"
	"psync/internal/wire"
)

// entries are the entries of a directory, in the order of its listing, until they are read. They are kept encoded as
// they came, which takes a quarter of the memory: a directory may have hundreds of thousands of entries.
type entries struct {
	packed []byte
	names  map[uint64]bool // the hashes of their names
	seed   maphash.Seed    // so that no peer can choose names with the same hash
}

// indexSize is about how many bytes an entry takes in addition to what is packed.
const indexSize = 24

// add appends an entry and returns how many bytes it takes. It returns 0 if there already is one with that name.
func (l *entries) add(e *wire.Entry) (size int) {
	if l.names == nil {
		l.names, l.seed = make(map[uint64]bool), maphash.MakeSeed()
	}
	h := maphash.String(l.seed, e.Name)
	if l.names[h] {
		return 0
	}
	l.names[h] = true
	before := len(l.packed)
	l.packed = wire.AppendEntry(l.packed, e)
	return len(l.packed) - before + indexSize
}

// each calls yield with all entries, in batches. Metadata beyond their attributes are those that p asked for.
func (l *entries) each(p vfs.Preparation, yield func([]vfs.Entry) error) error {
	const some = 1024
	chunk := make([]vfs.Entry, 0, min(some, len(l.names)))
	var e wire.Entry
	for rest := l.packed; len(rest) > 0; {
		e, rest = wire.DecodeEntry(rest)
		listed := vfs.Entry{Name: e.Name, Type: e.Attr.Mode.Type(), Ino: e.Attr.Ino}
		if !e.Gone {
			listed.Facts = &vfs.Facts{Attr: e.Attr, Extra: session.ExtraOf(e.Name, e.Extra, p)}
			if listed.Type == fs.ModeSymlink {
				listed.Facts.Target = e.Target
			}
		}
		chunk = append(chunk, listed)
		if len(chunk) == some || len(rest) == 0 {
			if err := yield(chunk); err != nil {
				return err
			}
			chunk = chunk[:0]
		}
	}
	return nil
}
