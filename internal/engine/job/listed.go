package job

import (
	"sync"
	"sync/atomic"

	"psync/internal/engine/dirnames"
	"psync/internal/lazymap"
	"psync/internal/vfs"
)

// maxFacts is how many bytes of facts about entries of destinations a run keeps. The volume is asked about further
// entries.
const maxFacts = 32 << 20

// A Listed holds the names of the entries that a destination had before anything was made in it, and what the listing
// said of them. A nil *Listed has none.
type Listed struct {
	dirnames.Set
	Shared bool // it is used until the end of the run
	facts  map[string]*vfs.Facts
	of     *Listings
}

// Names returns the names, or nil if they were not listed.
func (l *Listed) Names() *dirnames.Set {
	if l == nil {
		return nil
	}
	return &l.Set
}

// Add adds an entry.
func (l *Listed) Add(e vfs.Entry) {
	l.Set.Add(e.Name)
	if e.Facts == nil || l.of.kept.Load() >= maxFacts {
		return
	}
	l.of.kept.Add(int64(e.Facts.Size()))
	lazymap.Set(&l.facts, e.Name, e.Facts)
}

// find returns what the listing said of an entry, or nil.
func (l *Listed) find(name string) *vfs.Facts {
	if l == nil {
		return nil
	}
	return l.facts[name]
}

// Existing returns an entry with the attributes there, and with what the listing said of it unless it has been changed
// since.
func (l *Listed) Existing(name string, there vfs.Attr) vfs.Entry {
	return existing(l.find(name), name, there)
}

func existing(listed *vfs.Facts, name string, there vfs.Attr) vfs.Entry {
	e := vfs.Entry{Name: name, Type: there.Mode.Type()}
	if listed != nil && listed.Attr == there {
		e.Facts = listed
	}
	return e
}

// Forget forgets what the listing said of the entries, unless l is shared.
func (l *Listed) Forget() {
	if l != nil && !l.Shared {
		for _, f := range l.facts {
			l.of.kept.Add(-int64(f.Size()))
		}
		l.facts = nil
	}
}

// Listings keeps what listings of destinations said, and which entries with several names were changed in place since,
// and so under names that were listed before.
type Listings struct {
	kept atomic.Int64 // bytes of facts

	mu  sync.Mutex // guards the fields below
	ids map[vfs.ID]bool
	all bool // there are too many to be remembered
}

// New returns an empty Listed.
func (s *Listings) New() *Listed { return &Listed{of: s} }

// maxChangedLinks is how many are remembered.
const maxChangedLinks = 1 << 14

// ChangesInPlace records that an existing entry is about to be changed rather than replaced. What is known of its other
// names is then out of date.
func (s *Listings) ChangesInPlace(there vfs.Attr) {
	if there.Nlink < 2 || there.Mode.IsDir() {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(s.ids) == maxChangedLinks:
		s.ids, s.all = nil, true
	case !s.all:
		lazymap.Set(&s.ids, there.ID(), true)
	}
}

// isChanged reports whether the entry with the attributes that a listing said may have been changed since.
func (s *Listings) isChanged(listed vfs.Attr) bool {
	if listed.Nlink < 2 || listed.Mode.IsDir() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all || s.ids[listed.ID()]
}
