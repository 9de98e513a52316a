package job

import (
	"sync"

	"psync/internal/engine/dirnames"
	"psync/internal/vfs"
)

// mostFacts is how many facts about entries of destinations a run keeps: some 30 MiB. The volume is asked about
// further entries.
const mostFacts = 1 << 17

// A Listed holds the names of the entries that a destination had before anything was made in it, and what the listing
// said of them. A nil *Listed has none.
type Listed struct {
	dirnames.Set
	Shared bool // it is used until the end of the run
	facts  map[string]*vfs.Facts
	run    *Run
}

// NewListed returns an empty Listed.
func (r *Run) NewListed() *Listed { return &Listed{run: r} }

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
	if e.Facts == nil || l.run.kept.Load() >= mostFacts {
		return
	}
	l.run.kept.Add(1)
	if l.facts == nil {
		l.facts = make(map[string]*vfs.Facts)
	}
	l.facts[e.Name] = e.Facts
}

func (l *Listed) attr(name string) (a vfs.Attr, known bool) {
	if l == nil || l.facts[name] == nil {
		return vfs.Attr{}, false
	}
	return l.facts[name].Attr, true
}

// Forget forgets what the listing said of the entries, unless l is shared.
func (l *Listed) Forget() {
	if l != nil && !l.Shared {
		l.run.kept.Add(-int64(len(l.facts)))
		l.facts = nil
	}
}

// changedLinks are the entries with several names that were changed in place, and so under names that were listed before.
type changedLinks struct {
	mu  sync.Mutex
	ids map[vfs.ID]bool
	all bool // there are too many to be remembered
}

// mostChangedLinks is how many are remembered.
const mostChangedLinks = 1 << 14

func (c *changedLinks) change(id vfs.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case len(c.ids) == mostChangedLinks:
		c.ids, c.all = nil, true
	case !c.all:
		if c.ids == nil {
			c.ids = make(map[vfs.ID]bool)
		}
		c.ids[id] = true
	}
}

// isChanged reports whether the entry with the attributes that a listing said may have been changed since.
func (c *changedLinks) isChanged(listed vfs.Attr) bool {
	if listed.Nlink < 2 || listed.Mode.IsDir() {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.all || c.ids[listed.ID()]
}
