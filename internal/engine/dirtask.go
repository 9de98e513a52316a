package engine

import (
	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
)

// A taskKind says what is to be done with a directory.
type taskKind uint8

const (
	copyTask   taskKind = iota // copy it, and remove from its counterpart what it lacks if that is wanted
	clearTask                  // carry out the postponed removals only
	removeTask                 // remove it, as removal says
)

// A dirTask names one directory of one source.
type dirTask struct {
	Kind   taskKind
	Source int    // index of the source operand
	Path   string // slash-separated, relative to that source; "" is its root
	// New says that this run made the destination directory, so that nothing
	// in it needs to be looked up. It holds for the life of the process.
	New bool
	// DefaultACL says that a New directory has inherited a default ACL, which may
	// narrow the permissions of what is created in it.
	DefaultACL bool
	// InUse says that the run works with a directory that the destination is below, so that nothing is
	// removed from it.
	InUse bool

	dirs     *pairs.Node      // the directories; nil for a removal
	lineage  *source.Lineage  // of its parent
	original *backup.Original // of its parent, or its own if that is known already
}
