package job

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"

	"psync/internal/engine/dirnames"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// LeadsToDir reports whether the link called name in dir leads to a directory.
func LeadsToDir(dir vfs.Dir, name string) bool {
	attr, err := dir.Stat(name)
	return err == nil && attr.Mode.IsDir()
}

// Lookup returns the attributes of what the destination has under name. If it has nothing, their type is
// [plan.Absent]. They may be as old as the listing of the directory, unless files of the source are removed because the
// destination has them: what is removed, or replaced for --update, is checked again then.
func (w *Worker) Lookup(d *Dir, name string) (vfs.Attr, error) {
	if d.Fresh() || d.Dst == nil {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	if attr, known := d.Had.attr(name); known && !w.RemoveSource && !w.linked.isChanged(attr) {
		return attr, nil
	}
	if d.FarDest && d.Had != nil && !d.Had.Has(name) && (dirnames.IsPlain(name) || d.DstVolume.IsExact()) && w.distinguishesCase(d) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	attr, err := d.Dst.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	return attr, err
}

// distinguishesCase reports whether a name that the listing of a remote destination lacks cannot lead to an entry with
// another spelling. Finding that out saves a round trip for each such name.
func (w *Worker) distinguishesCase(d *Dir) bool {
	if w.DryRun || w.Policy.Existing { // nothing may be, or need be, made for a probe
		return d.DstVolume.IsExact()
	}
	return !w.IgnoresCase(d)
}

// ChangesInPlace records that an existing entry of the destination is about to be changed rather than replaced. What
// is known of its other names is then out of date.
func (w *Worker) ChangesInPlace(there vfs.Attr) {
	if there.Nlink > 1 && !there.Mode.IsDir() {
		w.linked.change(there.ID())
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

// mostFacts is how many facts about entries of destinations a run keeps: some 30 MiB. The volume is asked about
// further entries.
const mostFacts = 1 << 17

// A destFacts is the state of a run that lookups share.
type destFacts struct {
	kept   atomic.Int64
	linked changedLinks
}

// A Listed holds the names of the entries that a destination had before anything was made in it, and what the listing
// said of them. A nil *Listed has none.
type Listed struct {
	dirnames.Set
	Shared bool // it is used until the end of the run
	facts  map[string]*vfs.Facts
	run    *destFacts
}

// NewListed returns an empty Listed.
func (r *Run) NewListed() *Listed { return &Listed{run: &r.destFacts} }

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
