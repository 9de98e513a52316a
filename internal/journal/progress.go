package journal

import (
	"errors"
	"maps"
	"os"
	"slices"
	"sync/atomic"
)

// A State says what there is to do for a directory.
type State uint8

// The states.
const (
	// Open says that its entries are to be dealt with, again or for the first time.
	Open State = iota
	// Passed says that its entries are done, but something below it is not.
	Passed
	// Done says that it is done, with everything below it.
	Done
)

// A Progress is what a run has to know that goes on with a journal. A nil *Progress knows nothing: everything is open.
type Progress struct {
	Bytes int64 // of the files in directories whose entries are done

	looked   atomic.Int64
	recorded []ID // in order
	open     map[ID]bool
	below    map[ID][]string // children of directories that are done which lead to open ones
	subdirs  map[ID]Subdirs  // what those have
}

// Subdirs counts the directories that a recorded directory has.
type Subdirs struct {
	Recorded int64 // those with records of their own
	Empty    int64
}

// State returns what there is to do for a directory.
func (p *Progress) State(id ID) State {
	switch {
	case p == nil || p.open[id] || !p.Recorded(id):
		return Open
	case p.below[id] != nil:
		return Passed
	}
	return Done
}

// Look records that the run has seen that n directories that are done are in the destination.
func (p *Progress) Look(n int64) {
	if p != nil {
		p.looked.Add(n)
	}
}

// Looked returns how many directories those are.
func (p *Progress) Looked() int64 { return p.looked.Load() }

// Below returns the names of the directories to go on with in one that is passed.
func (p *Progress) Below(id ID) []string { return p.below[id] }

// Subdirs returns how many directories are in one that is passed.
func (p *Progress) Subdirs(id ID) Subdirs { return p.subdirs[id] }

// Count counts a directory that was found in one that is passed, unless it is one that the journal names but has no record of.
func (s *Subdirs) Count(p *Progress, id ID) {
	switch {
	case p.Recorded(id):
		s.Recorded++
	case !p.open[id]:
		s.Empty++
	}
}

// Recorded reports whether the journal had a record of a directory.
func (p *Progress) Recorded(id ID) bool {
	if p == nil {
		return false
	}
	_, found := slices.BinarySearchFunc(p.recorded, id, ID.Compare)
	return found
}

// Resume opens a journal to go on with, or makes it if it is missing or was left before anything was in it; p is nil then.
// What does not count at its end is cut off; cut is how many bytes that was. If
// links is true, directories are repeated that hold files with several names. The errors are *[JobError],
// *[LockedError], *[FormatError] and those of open and of the system.
func Resume(open OpenFunc, name string, job Job, s Session, links bool) (w *Writer, p *Progress, cut int64, err error) {
	f, err := open(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, nil, 0, err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
		}
	}()
	if err := lock(f, name); err != nil {
		return nil, nil, 0, err
	}
	j := &File{name: name, f: f}
	err = j.read(s.Boot)
	if errors.Is(err, errUnbegun) {
		w, err = begin(f, job, s)
		return w, nil, 0, err
	}
	if err != nil {
		return nil, nil, 0, err
	}
	if difference := job.differs(j.Job); difference != "" {
		return nil, nil, 0, &JobError{name, difference}
	}
	if p, err = j.progress(links); err != nil {
		return nil, nil, 0, err
	}
	if err := f.Truncate(j.sound.offset); err != nil {
		return nil, nil, 0, err
	}
	w = &Writer{Key: j.Key, f: f, offset: j.sound.offset, sum: j.sound.sum}
	return w, p, j.Untrusted, w.begin(appendSync(nil, w.offset), s)
}

// progress finds out what is left to do.
func (f *File) progress(links bool) (*Progress, error) {
	last, err := f.latest()
	if err != nil {
		return nil, err
	}
	p := &Progress{recorded: make([]ID, 0, f.Directories), open: make(map[ID]bool), below: make(map[ID][]string), subdirs: make(map[ID]Subdirs)}
	waiting := make(map[ID]int)
	err = f.visitLatest(last, func(d *Directory) {
		p.recorded = append(p.recorded, d.ID)
		if d.Repeated {
			delete(waiting, d.ID)
			delete(p.open, d.ID)
		}
		if d.Failed > 0 || links && d.HasLinks {
			p.open[d.ID] = true
		}
		if d.Waits {
			waiting[d.ID]++
		}
	}, func(s Settlement) {
		if s.Failed > 0 {
			p.open[s.ID] = true
		}
		if waiting[s.ID]--; waiting[s.ID] <= 0 {
			delete(waiting, s.ID)
		}
	})
	if err != nil {
		return nil, err
	}
	for id := range waiting {
		p.open[id] = true
	}
	slices.SortFunc(p.recorded, ID.Compare)
	err = f.visitLatest(last, func(d *Directory) {
		if !p.open[d.ID] {
			p.Bytes += d.Bytes
		}
		for _, name := range d.Children {
			if id := f.Key.Child(d.ID, name); !p.Recorded(id) {
				p.open[id] = true
			}
		}
	}, nil)
	if err != nil {
		return nil, err
	}
	return p, p.leadDown(f, last)
}

// leadDown finds out which directories have to be passed to come to those that are open.
func (p *Progress) leadDown(f *File, last map[ID]int64) error {
	t, err := f.climb(slices.Collect(maps.Keys(p.open)), last)
	if err != nil {
		return err
	}
	for _, s := range t.up {
		if !p.open[s.parent] {
			p.below[s.parent] = append(p.below[s.parent], s.name)
		}
	}
	if len(p.below) == 0 {
		return nil
	}
	return f.visitLatest(last, func(d *Directory) {
		if p.below[d.ID] != nil {
			s := Subdirs{Empty: d.Empty}
			for _, name := range d.Children {
				if p.Recorded(f.Key.Child(d.ID, name)) {
					s.Recorded++
				}
			}
			p.subdirs[d.ID] = s
		}
	}, nil)
}
