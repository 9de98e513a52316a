package job

import (
	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/journal"
)

// A Kind says what is to be done with a directory.
type Kind uint8

// The kinds of tasks.
const (
	Copy   Kind = iota // copy it, and remove from its counterpart what it lacks if that is wanted
	Clear              // carry out the postponed removals only
	Remove             // remove it, as its removal says
)

// A Task names one directory of one source.
type Task struct {
	Kind   Kind
	Source int    // index of the source operand
	Path   string // slash-separated, relative to that source; "" is its root
	// New says that this run made the destination directory, so that nothing
	// in it needs to be looked up. It holds for the life of the process.
	New bool
	// MadeIn is the parent of a New directory if it is not known yet whether it could be made; else nil.
	MadeIn *DirInfo
	// DefaultACL says that a New directory has inherited a default ACL, which may
	// narrow the permissions of what is created in it.
	DefaultACL bool
	// InUse says that the run works with a directory that the destination is below, so that nothing is
	// removed from it.
	InUse bool
	// ID identifies the directory in the journal, if there is one.
	ID journal.ID

	Dirs     *pairs.Node      // the directories; nil for a removal
	Lineage  *source.Lineage  // of its parent
	Original *backup.Original // of its parent, or its own if that is known already
	Rules    *source.InForce  // in its parent, or, to clear it, in itself; nil: those of the run
}
