package remotefs

import (
	"hash/maphash"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// entries are the entries of a directory, in the order of its listing. They are kept encoded as they came, which takes
// a quarter of the memory: a directory may have hundreds of thousands of entries.
type entries struct {
	packed []byte
	n      int
	at     map[uint64]uint32 // where in packed the entries begin, by the hashes of their names
	seed   maphash.Seed      // so that no peer can choose names with the same hash
}

// indexSize is about how many bytes of the index an entry takes.
const indexSize = 24

// add appends an entry and returns how many bytes it takes. It returns 0 if there already is one with that name.
func (l *entries) add(e *wire.Entry) (size int) {
	if l.at == nil {
		l.at, l.seed = make(map[uint64]uint32), maphash.MakeSeed()
	}
	h := maphash.String(l.seed, e.Name)
	for at, ok := l.at[h]; ok; at, ok = l.at[h] {
		if l.entry(at).Name == e.Name {
			return 0
		}
		h++ // another name has the same hash
	}
	before := len(l.packed)
	l.at[h] = uint32(before)
	l.packed = wire.AppendEntry(l.packed, e)
	l.n++
	return len(l.packed) - before + indexSize
}

func (l *entries) entry(at uint32) wire.Entry {
	e, _ := wire.DecodeEntry(l.packed[at:])
	return e
}

// find returns the entry called name, if there is one.
func (l *entries) find(name string) (e wire.Entry, ok bool) {
	if l.at == nil {
		return wire.Entry{}, false
	}
	h := maphash.String(l.seed, name)
	for at, ok := l.at[h]; ok; at, ok = l.at[h] {
		if e := l.entry(at); e.Name == name {
			return e, true
		}
		h++
	}
	return wire.Entry{}, false
}

// each calls yield with all entries, in batches.
func (l *entries) each(yield func([]vfs.Entry) error) error {
	const some = 1024
	chunk := make([]vfs.Entry, 0, min(some, l.n))
	var e wire.Entry
	for rest := l.packed; len(rest) > 0; {
		e, rest = wire.DecodeEntry(rest)
		listed := vfs.Entry{Name: e.Name, Type: e.Attr.Mode.Type(), Ino: e.Attr.Ino}
		if !e.Gone {
			listed.Facts = &vfs.Facts{Attr: e.Attr}
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
