package engine

import (
	"errors"
	"io/fs"
	"sync"

	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// A premise is why entries of the destination are removed, for the sake of a directory of the source.
type premise struct {
	mirror.Premise
	dir    *dirInfo
	pair   pairs.Pair // of dir, if it is open; otherwise zero
	failed sync.Once  // a failure to look up the name was reported
}

// newPremise returns the premise that d has no entry called name, or that this replaces a directory.
func newPremise(d *dirInfo, open pairs.Pair, name string, replaces bool) *premise {
	return &premise{Premise: mirror.Premise{Name: name, Replaces: replaces}, dir: d, pair: open}
}

// premiseFor returns the premise for removing an entry of d, or nil if that does not depend on a source.
func premiseFor(d *directory, name string) *premise {
	if d.premise != nil || d.Src == nil {
		return d.premise
	}
	return newPremise(d.dirInfo, d.Pair, name, false)
}

// stillHolds checks in the source whether a premise still holds. If that fails, stillHolds reports the
// failure, but only once, and returns false, so that nothing is removed.
func (w *worker) stillHolds(p *premise) bool {
	if p == nil || w.DryRun || p.IsKnown() {
		return true
	}
	d := p.dir.open(p.pair)
	side := pairs.Source
	var err error
	if d.Src == nil {
		if d.Pair, side, err = d.task.dirs.Use(); err == nil {
			defer d.task.dirs.Done()
		}
	}
	holds := false
	if err == nil {
		side = pairs.Source
		holds, err = p.Holds(w.listedSource(d))
	}
	if err != nil {
		p.failed.Do(func() { w.fail(d, side, p.Name, err) })
	}
	return holds && err == nil
}

// listedSource returns the source of d for checks of premises.
func (w *worker) listedSource(d *directory) mirror.Source {
	return mirror.Source{
		Dir:       w.sourceDir(d),
		Listed:    d.attr,
		IsRoot:    d.task.Path == "",
		Follow:    w.Links.Follows(),
		Selector:  w.selector,
		Relisting: d.relisting,
		Resolve:   func() (vfs.Dir, func(), error) { return w.openSource(d.key()) },
	}
}

// ignoreNotExist returns err unless it says that an entry does not exist.
func ignoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
