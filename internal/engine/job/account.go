package job

import (
	"context"
	"sync/atomic"

	"psync/internal/journal"
)

// An Account counts the pieces of work that are left in a pair of directories.
type Account struct {
	entries atomic.Int32 // those before its attributes are set: its claim, links, and removals of directories
	all     atomic.Int32 // also those that come later, until the journal may record it as done
}

// Add adds a piece of work on entries.
func (a *Account) Add() {
	a.entries.Add(1)
	a.all.Add(1)
}

// AddLater adds a piece of work that does not keep the attributes from being set.
func (a *Account) AddLater() { a.all.Add(1) }

// EndEntries ends a piece of work on entries, for which EndWork is called afterwards. It reports whether it was the last.
func (a *Account) EndEntries() (last bool) { return a.entries.Add(-1) == 0 }

// HasMore reports whether more than one piece of work is left.
func (a *Account) HasMore() bool { return a.all.Load() > 1 }

// EndWork ends a piece of work in d. When none is left, it records d in the journal as complete, with the failures so
// far.
func (r *Run) EndWork(ctx context.Context, d *DirInfo) {
	if r.Job.Journal == nil || ctx.Err() != nil || d.Left.all.Add(-1) > 0 {
		return
	}
	failed := d.Failures.Swap(0)
	// Deferred removals belong to another task, which calls EndWork when they are done.
	if failed > 0 || !d.Waits.Load() {
		r.Job.Journal.Completed(journal.Completion{ID: d.Task.ID, Failed: failed})
	}
}
