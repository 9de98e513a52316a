package run

import (
	"context"
	"errors"

	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/operand/removal"
	"psync/internal/plan"
	"psync/internal/report"
)

// ErrDeclined is returned by [OpenRemoval] if the user does not want what the operands name to be removed.
var ErrDeclined = errors.New("nothing was removed")

// OpenRemoval opens a removal of o.Sources with everything below. With force, those that do not exist are ignored. Once the
// operands have been found fit to be removed, confirm, which may be nil, says whether that is meant. Of the files that o.Output
// names, it writes the logs. The caller closes it.
func OpenRemoval(ctx context.Context, o Options, force bool, confirm func(context.Context) bool) (*Run, error) {
	o.complete()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	paths, host, err := o.connectOne(ctx, o.Sources)
	if err != nil {
		return nil, err
	}
	wait := roundTrip(host)
	if err := operand.CheckSideFiles(o.Operands.SideFiles, host, paths...); err != nil {
		return nil, err
	}
	parents, err := removal.OpenParents(host, paths, force)
	if err != nil {
		return nil, err
	}
	if confirm != nil && !confirm(ctx) {
		return nil, ErrDeclined
	}
	r := newRun(&o, func() {})
	trees := parents.Trees()
	if r.log, err = o.openLog(0o666, false, o.sourceOperands(nil), nil); err != nil {
		return nil, err
	}
	e := o.Engine
	o.confineRemoval(host, parents.Network, paths, trees, e.DryRun)
	workers, openDirs, _ := o.newWorkers(parents.Network, wait, 1) // a parent of operands
	r.Workers = workers
	r.engine = func(ctx context.Context, sink report.Sink) error {
		return engine.RemoveTrees(ctx, engine.Job{
			Options: engine.Options{
				Auto: e.Auto, AlwaysShare: e.AlwaysShare, OpenDirs: openDirs, DryRun: e.DryRun,
				Policy: plan.Policy{Delete: plan.Delete{CrossMounts: e.Delete.CrossMounts}},
			},
			Sources: trees, Workers: workers, Sink: sink, Stats: r.Stats, Activity: o.Activity,
		})
	}
	return r, nil
}
