package job

import (
	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/engine/peers"
	"psync/internal/engine/source"
	"psync/internal/journal"
)

// A Kind says what a task does with a directory.
type Kind uint8

// The kinds of tasks. Several workers may do parts of one of the first three.
const (
	Copy         Kind = iota // copy it, and remove extraneous entries from its counterpart if requested
	Clear                    // only carry out the deferred removals
	Remove                   // remove it, as its removal specifies
	Link                     // make its names of files that have several
	Place                    // give its delayed files their names
	End                      // not of a directory: end the work on entries
	Apply                    // apply deferred operations
	Sync                     // not of a directory: sync what was written, and remove from the sources what waits for that
	RemoveCopied             // remove entries from its source that were copied
)

// hasSteps reports whether tasks of a kind are steps of the plan, rather than what is left to the end of a run.
func (k Kind) hasSteps() bool { return k <= Link }

// A Task names one directory of one source.
type Task struct {
	Kind Kind
	// New says that this run made the destination directory, so nothing in it needs to be looked up. It holds for the
	// life of the process.
	New bool
	// DefaultACL says that a New directory has inherited a default ACL, which may restrict the permissions of what is
	// created in it.
	DefaultACL bool
	// InUse says that the destination is below a directory that the run works with, so nothing is removed from it.
	InUse bool
	// ID identifies the directory in the journal, if there is one.
	ID journal.ID

	Source int    // index of the source operand
	Path   string // slash-separated, relative to that source; "" is its root
	// MadeIn is the parent of a New directory while it is not known whether that could be made; otherwise it is nil.
	MadeIn *Dir
	Dirs   *pairs.Node // the directories; nil: they are found by Source and Path
	// Bundle is what other hosts are to know of it as a whole; nil: there are none.
	Bundle *peers.Bundle

	// The fields below are those of the parent until the directory is opened or, in a task to Clear it, its own.
	Lineage  *source.Lineage // nil to Clear it
	Original *backup.Original
	Rules    *source.InForce // nil: those of the run
}
