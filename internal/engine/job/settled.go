package job

import (
	"context"

	"psync/internal/journal"
)

// Settled records that something which was left to do in d is done, if nothing else is. It may fail after that.
func (r *Run) Settled(ctx context.Context, d *DirInfo) {
	if r.Journal == nil || ctx.Err() != nil || d.Unsettled.Add(-1) > 0 {
		return
	}
	failed := d.Failures.Swap(0)
	// Removals that are postponed are those of another task, which settles the directory when they are done.
	if failed > 0 || !d.Waits.Load() {
		r.Journal.Completed(journal.Completion{ID: d.Task.ID, Failed: failed})
	}
}
