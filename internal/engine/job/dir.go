package job

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"psync/internal/engine/alias"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/vfs"
)

// A Dir is a pair of directories that is open, in the hands of one worker or several.
type Dir struct {
	*DirInfo
	pairs.Pair
	Sharing Sharing // of its entries; nil if no other worker may share them

	backups backup.LazyDir // where entries go before they are replaced

	mu           sync.Mutex // guards what follows
	alternatives []vfs.Dir  // counterparts in other trees, nil where there is none; opened when needed
}

// Sharing is how workers share the entries of a directory.
type Sharing interface {
	Offer()       // entries to an idle worker
	Shared() bool // whether another worker has taken some
}

// Open returns the directory of which d is known, open as p.
func (d *DirInfo) Open(p pairs.Pair) *Dir { return &Dir{DirInfo: d, Pair: p} }

// AsParent returns the destination of d as the parent of new entries.
func (d *Dir) AsParent() attrs.Parent {
	return attrs.Parent{Dir: d.Dst, GID: d.DestAttr.GID, Inherited: &d.inherited}
}

// errMadeMeanwhile says that the destination has an entry which it lacked, and which this run has not made.
var errMadeMeanwhile = fmt.Errorf("another process made it meanwhile: %w", fs.ErrExist)

// Collision explains why making an entry of d has failed, with err, if that says that there is one of its name: each
// name of the source is copied once, and only if the destination lacks it.
func (w *Worker) Collision(d *Dir, err error) error {
	switch {
	case !errors.Is(err, fs.ErrExist):
		return err
	case d.Dst == nil || w.IgnoresCase(d):
		return alias.ErrCollision
	}
	return errMadeMeanwhile
}

// OpenAlternatives returns the counterparts of d in the other trees, which it opens once. One that
// cannot be opened is of no use, and no harm.
func (d *Dir) OpenAlternatives(others *place.Alternatives) []vfs.Dir {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.alternatives == nil {
		d.alternatives = others.Open(d.Path(""))
	}
	return d.alternatives
}

// CloseOthers closes what was opened beside the pair of directories.
func (d *Dir) CloseOthers() {
	d.backups.Close()
	if d.alternatives == nil || d.Path("") == "" {
		return // these are the roots, and not ours
	}
	for _, alt := range d.alternatives {
		if alt != nil {
			alt.Close()
		}
	}
}
