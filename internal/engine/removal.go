package engine

import (
	"container/list"
	"strings"
	"sync/atomic"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/vfs"
)

// A removal is a directory of the destination that is being removed with everything in it, or, if it
// has no parent, one that stays and from which others are removed. Each is a task of its own. The
// worker that removes the last entry of a directory removes the directory as well, and so on upwards.
//
// A removal has its name and its parent rather than its path: the paths of all directories of a deep
// tree would take memory that grows with the square of the depth.
type removal struct {
	parent  *removal // nil for a directory that stays
	name    string   // in its parent
	source  int
	dev     uint64       // the file system that it must be on
	id      vfs.ID       // of the directory; zero until it is listed
	pending atomic.Int64 // subdirectories not yet removed, plus one until it is listed
	kept    atomic.Bool  // something in it was not removed, so it cannot be removed either

	original *backup.Original // its attributes when it was listed
	lifted   *attrs.Lifted    // from it, until it is removed

	premise *premise // why it is removed; nil if that does not depend on a source

	base       removalBase // how to open it, if it has no parent
	unfinished *unfinished // what to finish when all removals from it are done, or nil

	// openRemovals owns and guards what follows.
	dir  vfs.Dir // nil while it is closed
	uses int
	idle *list.Element
}

// A removalBase is a directory that stays while directories in it are removed.
type removalBase interface {
	path() string
	use() (vfs.Dir, error) // open it, to stay open until done is called
	done()
	release() // everything that was to be removed from it is
}

// child returns the removal of a subdirectory of rm.
func (rm *removal) child(name string, dev uint64) *removal {
	sub := &removal{parent: rm, name: name, source: rm.source, dev: dev, premise: rm.premise}
	sub.pending.Store(1)
	return sub
}

// task returns the task to remove the directory.
func (rm *removal) task() task { return task{Kind: removeTask, Source: rm.source, removal: rm} }

// Path returns the path of the directory below the root of the destination of its source.
func (rm *removal) Path() string {
	var names []string
	for ; rm.parent != nil; rm = rm.parent {
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
