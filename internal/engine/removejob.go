package engine

import (
	"context"
	"slices"

	"psync/internal/engine/mirror"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/walk"
)

// A RemoveJob holds the arguments of RemoveTrees. The caller closes the directories in it.
type RemoveJob struct {
	Workers     *walk.Size
	Auto        bool
	AlwaysShare bool // as in [Options]
	OpenDirs    int  // as in [Options]
	DryRun      bool
	CrossMounts bool // also remove the contents of file systems mounted in the trees
	// Trees lists the entries to remove: Names in Dir.
	Trees []source.Tree

	Sink     report.Sink
	Stats    *report.Stats
	Activity *report.Activity // or nil
}

// RemoveTrees removes trees. It returns the same errors as [Run].
func RemoveTrees(ctx context.Context, j RemoveJob) error {
	ctx, stop := stoppable(ctx)
	defer stop(nil)
	r := newRun(Job{
		Options: Options{Auto: j.Auto, AlwaysShare: j.AlwaysShare, OpenDirs: j.OpenDirs, DryRun: j.DryRun, Policy: plan.Policy{Delete: plan.Delete{CrossMounts: j.CrossMounts}}},
		Sources: j.Trees, Workers: j.Workers, Sink: j.Sink, Stats: j.Stats, Activity: j.Activity,
	}, stop)
	r.job.Reporting.OnlyRemoves = true
	r.job.Sweeper = nil // the user has named what to remove
	bases := make([]mirror.OperandDir, len(j.Trees))
	defer func() {
		r.close()
		for i := range bases {
			bases[i].Release()
		}
	}()
	for i, s := range slices.Backward(j.Trees) { // the last is claimed first
		bases[i].Tree = s
		rm := r.removals.In(&bases[i], i)
		r.put(removalTask(rm))
	}
	r.work(ctx)
	return context.Cause(ctx)
}
