package engine

import (
	"container/list"
	"strings"
	"sync/atomic"

	"psync/internal/vfs"
)

// A removal is a directory of the destination that is being removed with all that is
// in it. Each is a task of its own. The worker that removes the last entry of a
// directory removes the directory, too, and so on upwards.
//
// It knows its parent and its name in it, not its whole path: the paths of all the
// directories of a deep tree would take memory that grows with the square of the depth.
type removal struct {
	up     *removal // its parent; nil for a directory that stays
	name   string   // in its parent
	source int
	dev    uint64       // the file system that it must be on
	id     vfs.ID       // of the directory, from when it is listed
	rest   atomic.Int64 // directories in it that are still there, and itself until it is listed
	kept   atomic.Bool  // something in it stays, so it stays, too

	original *original // what it was when it was listed

	premise *premise // why it goes, if that is for the sake of a source

	base  removalBase // how to open it, if it stays
	stays *unfinished // the directory that is to be finished when all removals from it are done, or nil

	// The rest belongs to openRemovals.
	dir  vfs.Dir // nil while it is closed
	uses int
	idle *list.Element
}

// A removalBase is a directory that stays while others in it are removed.
type removalBase interface {
	path() string
	use() (vfs.Dir, error) // until done is called
	done()
	release() // nothing is left to be removed from it
}

// child returns the removal of a directory in that of rm.
func (rm *removal) child(name string, dev uint64) *removal {
	sub := &removal{up: rm, name: name, source: rm.source, dev: dev, premise: rm.premise}
	sub.rest.Store(1)
	return sub
}

// path returns the path of the directory below that of the source.
func (rm *removal) path() string {
	var names []string
	for ; rm.up != nil; rm = rm.up {
		names = append(names, rm.name)
	}
	var b strings.Builder
	b.WriteString(rm.base.path())
	for i := len(names) - 1; i >= 0; i-- {
		if b.Len() > 0 {
			b.WriteByte('/')
		}
		b.WriteString(names[i])
	}
	return b.String()
}
