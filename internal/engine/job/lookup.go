package job

import (
	"errors"
	"io/fs"
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
// [plan.Absent]. They may be as old as the listing of the directory, so what is there is checked again when it is
// replaced.
func (w *Worker) Lookup(d *Dir, name string) (vfs.Attr, error) {
	if d.Fresh() || d.Dst == nil {
		return vfs.Attr{Mode: plan.Absent}, nil
	}
	if attr, known := d.Had.attr(name); known && !(attr.Nlink > 1 && !attr.Mode.IsDir() && w.linkedChanged.Load()) {
		return attr, nil
	}
	if d.FarDest && d.Had != nil && !d.Had.Has(name) && dirnames.IsPlain(name) && w.distinguishesCase(d) {
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
	return d.DstVolume.IsExact() || !w.DryRun && !w.Policy.Existing && !w.IgnoresCase(d)
}

// ChangesInPlace records that an existing entry of the destination is about to be changed rather than replaced. What
// is known of its other names is then out of date.
func (w *Worker) ChangesInPlace(there vfs.Attr) {
	if there.Nlink > 1 && !there.Mode.IsDir() {
		w.linkedChanged.Store(true)
	}
}

// mostFacts is how many facts about entries of destinations a run keeps: some 30 MiB. The volume is asked about
// further entries.
const mostFacts = 1 << 17

// A destFacts is the state of a run that lookups share.
type destFacts struct {
	kept          atomic.Int64
	linkedChanged atomic.Bool // an entry with several names was changed in place
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
