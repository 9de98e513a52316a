package job

import (
	"context"

	"psync/internal/journal"
)

// EndWork ends one piece of the remaining work in d. When none is left, it records d in the journal as complete, with
// the failures so far.
func (r *Run) EndWork(ctx context.Context, d *DirInfo) {
	if r.Job.Journal == nil || ctx.Err() != nil || d.Remaining.Add(-1) > 0 {
		return
	}
	failed := d.Failures.Swap(0)
	// Deferred removals belong to another task, which calls EndWork when they are done.
	if failed > 0 || !d.Waits.Load() {
		r.Job.Journal.Completed(journal.Completion{ID: d.Task.ID, Failed: failed})
	}
}
