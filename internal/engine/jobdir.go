package engine

import (
	"errors"
	"io/fs"
	"sync"

	"psync/internal/engine/alias"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// A jobDir is a pair of directories that is open, in the hands of one worker or several.
type jobDir struct {
	*dirInfo
	pairs.Pair

	backups backup.LazyDir // where entries go before they are replaced

	mu           sync.Mutex // guards what follows
	alternatives []vfs.Dir  // counterparts in other trees, nil where there is none; opened when needed
}

// open returns the directory of which d is known, open as p.
func (d *dirInfo) open(p pairs.Pair) *jobDir { return &jobDir{dirInfo: d, Pair: p} }

// asParent returns the destination of d as the parent of new entries.
func (d *jobDir) asParent() attrs.Parent {
	return attrs.Parent{Dir: d.Dst, GID: d.destAttr.GID, Inherited: &d.inherited}
}

// collision explains why a name exists in a directory that was empty.
func (d *jobDir) collision(err error) error {
	if d.fresh() && errors.Is(err, fs.ErrExist) {
		return alias.ErrCollision
	}
	return err
}

// closeOthers closes what was opened beside the pair of directories.
func (d *jobDir) closeOthers() {
	d.backups.Close()
	if d.alternatives == nil || d.path("") == "" {
		return // these are the roots, and not ours
	}
	for _, alt := range d.alternatives {
		if alt != nil {
			alt.Close()
		}
	}
}
