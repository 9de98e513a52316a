package engine

import (
	"context"
	"slices"

	"psync/internal/engine/mirror"
)

// RemoveTrees removes the entries that the sources of a job name. Of its Options, only those of the workers, OpenDirs, DryRun
// and Delete.CrossMounts have an effect. RemoveTrees returns the same errors as [Run].
func RemoveTrees(ctx context.Context, j Job) error {
	ctx, stop := stoppable(ctx)
	defer stop(nil)
	r := newRun(j, stop)
	r.job.Reporting.OnlyRemoves = true
	r.job.Sweeper = nil // the user has named what to remove
	bases := make([]mirror.OperandDir, len(j.Sources))
	defer func() {
		r.close()
		for i := range bases {
			bases[i].Release()
		}
	}()
	for i, s := range slices.Backward(j.Sources) { // the last is claimed first
		bases[i].Tree = s
		rm := r.removals.In(&bases[i], i)
		r.put(removalTask(rm))
	}
	r.work(ctx)
	return context.Cause(ctx)
}
