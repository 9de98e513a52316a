package journal

import (
	"errors"
	"maps"
	"os"
	"slices"
	"sync/atomic"
)

// A State is the state of a directory.
type State uint8

// The states.
const (
	// Open means that the entries of the directory are still to be handled, or to be handled again.
	Open State = iota
	// OpenBelow means that the entries of the directory are done, but a directory below it is open.
	OpenBelow
	// Done means that everything in and below the directory is done.
	Done
)

// A Progress is what earlier runs have done, for a run that resumes a journal. For a nil *Progress, every directory is
// open.
type Progress struct {
	Bytes int64 // of the files in directories whose entries are done

	present  atomic.Int64
	recorded []ID // sorted
	open     map[ID]bool
	below    map[ID][]string // the children to visit of each OpenBelow directory
	subdirs  map[ID]Subdirs  // of each OpenBelow directory
}

// Subdirs counts the subdirectories of a recorded directory.
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
		return OpenBelow
	}
	return Done
}

// AddPresent records that the run has found n of the directories that are done in the destination.
func (p *Progress) AddPresent(n int64) {
	if p != nil {
		p.present.Add(n)
	}
}

// Present returns the sum of the calls of AddPresent.
func (p *Progress) Present() int64 { return p.present.Load() }

// Below returns the names of the subdirectories of an OpenBelow directory that are open or OpenBelow.
func (p *Progress) Below(id ID) []string { return p.below[id] }

// Subdirs returns how many directories are in an OpenBelow directory.
func (p *Progress) Subdirs(id ID) Subdirs { return p.subdirs[id] }

// Count counts a directory that was found in an OpenBelow directory, unless the journal names it but has no record of
// it.
func (s *Subdirs) Count(p *Progress, id ID) {
	switch {
	case p.Recorded(id):
		s.Recorded++
	case !p.open[id]:
		s.Empty++
	}
}

// Recorded reports whether the journal has a record of a directory.
func (p *Progress) Recorded(id ID) bool {
	if p == nil {
		return false
	}
	_, found := slices.BinarySearchFunc(p.recorded, id, ID.Compare)
	return found
}

// Resume opens a journal to continue it. If the journal is missing or empty, Resume creates it and returns a nil p. It
// truncates the part that does not count, cut bytes, from the end. If links is true, directories that hold files with
// several names are open again. The errors are *[JobError], *[LockedError], *[FormatError] and those of open and the
// system.
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
	if errors.Is(err, errEmpty) {
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

// progress determines what is left to do.
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
	}, func(s Completion) {
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
	return p, p.findBelow(f, last)
}

// findBelow finds the directories that lead to open ones.
func (p *Progress) findBelow(f *File, last map[ID]int64) error {
	t, err := f.findAncestry(slices.Collect(maps.Keys(p.open)), last)
	if err != nil {
		return err
	}
	for _, s := range t.parents {
		if !p.open[s.parent] {
			p.below[s.parent] = append(p.below[s.parent], s.name)
		}
	}
	if len(p.below) == 0 {
		return nil
	}
	return f.visitLatest(last, func(d *Directory) {
		if p.below[d.ID] != nil {
			s := p.subdirs[d.ID] // of another part of its record
			s.Empty += d.Empty
			for _, name := range d.Children {
				if p.Recorded(f.Key.Child(d.ID, name)) {
					s.Recorded++
				}
			}
			p.subdirs[d.ID] = s
		}
	}, nil)
}
