package engine

import (
	"strings"
	"sync/atomic"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A removal is a directory of the destination that is being removed with everything in it, or, if it
// has no parent, one that stays and from which others are removed. Each is a task of its own. The
// worker that removes the last entry of a directory removes the directory as well, and so on upwards.
//
// A removal has its name and its parent rather than its path: the paths of all directories of a deep
// tree would take memory that grows with the square of the depth.
type removal struct {
	walk.Node[vfs.Dir]
	crossMounts bool // it may be a mount point

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
}

// A removalBase is a directory that stays while directories in it are removed.
type removalBase interface {
	path() string
	use() (vfs.Dir, error) // open it, to stay open until done is called
	done()
	release() // everything that was to be removed from it is
}

// newRemoval returns a removal that is to be listed.
func (w *worker) newRemoval(up *removal, source int) *removal {
	rm := &removal{parent: up, source: source, crossMounts: w.Delete.CrossMounts}
	if up != nil {
		rm.Node = walk.NewNode[vfs.Dir](&up.Node, rm)
	} else {
		rm.Node = walk.NewNode[vfs.Dir](nil, rm)
	}
	w.openRemovals.Retain(&rm.Node, 1) // until it is removed
	rm.pending.Store(1)
	return rm
}

// childRemoval returns the removal of a subdirectory of rm.
func (w *worker) childRemoval(rm *removal, name string, dev uint64) *removal {
	sub := w.newRemoval(rm, rm.source)
	sub.name, sub.dev, sub.premise = name, dev, rm.premise
	return sub
}

// Open opens the directory; see [walk.Dir].
func (rm *removal) Open(in vfs.Dir) (vfs.Dir, error) {
	if rm.base != nil {
		return rm.base.use()
	}
	return openForRemoval(in, rm.name, rm.crossMounts)
}

// OpenFrom opens it as the parent of child; see [walk.ParentOpener]. If that is not the directory that
// was listed, somebody has moved child.
func (rm *removal) OpenFrom(child vfs.Dir) (vfs.Dir, bool) {
	if rm.base != nil {
		return nil, false
	}
	dir, err := child.OpenParent()
	if err != nil {
		return nil, false
	}
	if attr, err := dir.Lstat("."); err != nil || attr.ID() != rm.id {
		dir.Close()
		return nil, false
	}
	return dir, true
}

// Close closes the directory.
func (rm *removal) Close(dir vfs.Dir) {
	if rm.base != nil {
		rm.base.done()
		return
	}
	dir.Close()
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

// openForRemoval opens a directory that is to be removed. It fails for a link and, unless crossMounts
// is true, for a mount point.
func openForRemoval(in vfs.Dir, name string, crossMounts bool) (vfs.Dir, error) {
	if !crossMounts && in.Caps().Has(vfs.CanConfine) {
		return in.OpenDirWithin(name)
	}
	return in.OpenDir(name)
}
