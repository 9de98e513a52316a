package mirror

import (
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// A Premise is the reason why entries of the destination are removed: a directory of the source has no entry called
// Name to copy.
//
// That was true when the source was listed, which may be long ago: while this run was suspended or waited for a
// server, the source may have got such an entry, and another run may have copied it. So the name is looked up again
// right before each entry is removed. For entries of a directory that is itself removed, the name is that of the
// topmost such directory. What remains is the race between the two system calls or, with a source on another host,
// whose answers take a round trip, a fraction of a second.
type Premise struct {
	Name string
	In   *Dir // the counterpart of the directory of the source
	// Replaces says that the source does have such an entry, which is not a directory and
	// replaces one, so that the contents of that directory are removed.
	Replaces bool

	pruned atomic.Bool  // the source has a directory of that name, but it is empty and so not copied
	failed atomic.Bool  // a failure to look up the name was reported
	held   atomic.Int64 // when the source last confirmed it, in nanoseconds since 1970
}

// failures returns the counter of entries that could not be removed for the premise, or nil if there is none.
func (p *Premise) failures() *atomic.Int64 {
	if p == nil || p.In == nil {
		return nil
	}
	return p.In.Failures
}

// A Counterpart is the directory of the source that a directory of the destination is a copy of. It was listed before.
type Counterpart struct {
	source.Dir          // open, or without a directory
	Listed     vfs.Attr // its attributes when it was listed
	IsRoot     bool     // it was not opened by a path
	Follow     bool     // links of the source may be followed
	Selector   *source.Selector
	Relisting  *Relisting // nil: the destination distinguishes all names
	// Resolve opens the directory by its path, and returns a function that closes it.
	Resolve func() (dir vfs.Dir, closeDir func(), err error)
	// Open returns the directory, which stays open until done is called. If it fails, onSource reports whether the
	// error is about the source.
	Open func() (dir vfs.Dir, done func(), onSource bool, err error)
}

// holds checks with the source whether a premise still holds. If the check fails, holds reports the failure, but only
// once, and returns false, so nothing is removed.
func (r *Remover) holds(p *Premise) bool {
	if p == nil || r.DryRun || p.IsKnown() || p.heldLately() {
		return true
	}
	holds, onSource, err := p.ask()
	if err != nil && !p.failed.Swap(true) {
		r.Unknown(p.In, p.Name, onSource, err)
	}
	return holds && err == nil
}

// ask checks the premise with the source. If that fails, onSource reports whether the error is about the source.
func (p *Premise) ask() (holds, onSource bool, err error) {
	s := *p.In.Counterpart
	if s.Dir.Dir == nil {
		dir, done, onSource, err := s.Open()
		if err != nil {
			return false, onSource, err
		}
		defer done()
		s.Dir.Dir = dir
	}
	if holds, err = p.Holds(&s); holds && err == nil {
		p.held.Store(time.Now().UnixNano())
	}
	return holds, true, err
}

// heldLately reports whether a source on another host has just confirmed the premise.
func (p *Premise) heldLately() bool {
	return p.In.FarSource && time.Since(time.Unix(0, p.held.Load())) < recent
}

// IsKnown reports whether the premise is known to hold without a lookup.
func (p *Premise) IsKnown() bool { return p.pruned.Load() }

// Holds reports whether the premise still holds in s. An error means that this is unknown.
func (p *Premise) Holds(s *Counterpart) (bool, error) {
	if is, err := s.inPlace(); !is {
		return false, err
	}
	if p.Replaces {
		attr, err := source.Look(s.Dir, p.Name, s.Follow)
		return err == nil && !attr.Mode.IsDir(), ignoreNotExist(err)
	}
	attr, err := s.Look(p.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		other, err := s.gainedAlias(p.Name)
		return !other, err
	case err != nil:
		return false, err
	}
	absent, pruned := s.Selector.Presence(s.Dir, vfs.Entry{Name: p.Name, Type: attr.Mode.Type()})
	if pruned {
		p.pruned.Store(true)
	}
	return absent, nil
}

// inPlace reports whether the directory is still the one at its path. If another one has replaced it, the new one may
// have names that this one lacks. The path is resolved again only if the change time of the directory differs from
// that at its listing, as it does after the directory is renamed. Renaming one of its ancestors goes unnoticed.
func (s *Counterpart) inPlace() (bool, error) {
	now, err := s.Look(".")
	switch {
	case err != nil:
		return false, ignoreNotExist(err)
	case now.Nlink == 0:
		return false, nil // it was removed
	case now.ID() != s.Listed.ID():
		return false, source.ErrSwapped
	case now.Ctime == s.Listed.Ctime || s.IsRoot:
		return true, nil
	}
	again, closeDir, err := s.Resolve()
	if err != nil {
		return false, ignoreNotExist(err)
	}
	defer closeDir()
	there, err := again.Look(".")
	if err == nil && there.ID() != now.ID() {
		err = source.ErrSwapped
	}
	return err == nil, err
}

// ignoreNotExist returns err, or nil if err says that an entry does not exist.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// A Relisting caches the names of a source directory that was listed again because the destination
// does not distinguish all names.
type Relisting struct {
	mu    sync.Mutex      // guards the fields below
	mtime time.Time       // of the source directory when it was listed again
	keys  map[string]bool // of its names; names that the destination does not distinguish share a key
}

// gainedAlias reports whether the directory has gained a name since it was listed that the destination may not
// distinguish from name. It lists the directory again only if its modification time has changed.
func (s *Counterpart) gainedAlias(name string) (bool, error) {
	r := s.Relisting
	if r == nil {
		return false, nil
	}
	now, err := s.Look(".")
	if err != nil {
		return false, err
	}
	if now.Mtime.Equal(s.Listed.Mtime) {
		return false, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	fold := metadata.Folding(true)
	if r.keys == nil || !r.mtime.Equal(now.Mtime) {
		keys := make(map[string]bool)
		err := s.ReadDir(func(entries []vfs.Entry) error {
			for _, e := range entries {
				if absent, _ := s.Selector.Presence(s.Dir, e); !absent {
					keys[fold.Key(e.Name)] = true
				}
			}
			return nil
		})
		if err != nil {
			return false, err
		}
		r.mtime, r.keys = now.Mtime, keys
	}
	return r.keys[fold.Key(name)], nil
}
