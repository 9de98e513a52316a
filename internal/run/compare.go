package run

import (
	"context"

	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/report"
)

// OpenComparison opens a comparison of the only source with o.Dest. Steps that a copy would take are the differences. Of the
// files that o.Output names, it writes the logs. The caller closes it.
func OpenComparison(ctx context.Context, o Options) (*Run, error) {
	o.Engine.Compare, o.Engine.DryRun = true, true
	o.complete()
	if err := o.Validate(); err != nil {
		return nil, err
	}
	paths, err := o.connectPair(ctx, operand.TreeQuestions)
	if err != nil {
		return nil, err
	}
	hosts := o.Operands.Hosts
	wait := roundTrip(hosts.Source, hosts.Dest)
	roots, err := operand.OpenTrees(paths[0], paths[1], o.Operands)
	if err != nil {
		return nil, err
	}
	r := newRun(&o, roots.Close)
	dest := describeOperand(o.Dest, roots.Dest)
	if r.log, err = o.openLog(0o666, false, o.sourceOperands(roots), &dest); err != nil {
		roots.Close()
		return nil, err
	}
	options := o.bind(hosts.Dest, 0)
	r.Workers, options.OpenDirs, _ = o.newWorkers(roots.Network, wait, 0)
	r.engine = func(ctx context.Context, sink report.Sink) error { return engine.Run(ctx, r.job(options, roots, sink)) }
	return r, nil
}
