package cli

import (
	"bufio"
	"context"
	"fmt"

	"psync/internal/cli/flags"
	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/operand"
	"psync/internal/report"
	"psync/internal/ui"
	"psync/internal/vfs"
)

// listOnly lists what of the sources takes part, and copies nothing. DST counts for nothing, and may be missing.
func (a *app) listOnly(ctx context.Context, o *flags.Options, args []string) error {
	if len(args) == 1 {
		args = append(args, ".")
	}
	a.started = true
	paths, hosts, err := a.connectPair(ctx, o, args, operand.RootQuestions)
	if err != nil {
		return err
	}
	o.Operands.Hosts = hosts
	roots, err := operand.OpenSources(paths[:len(paths)-1], o.Operands)
	if err != nil {
		return err
	}
	defer roots.Close()
	options := o.Engine(hosts.Source.User(), 0)
	if roots.Files != nil {
		options.Files = roots.Files
	}
	config := o.UI
	config.Out, config.Err = a.Stdout, a.Stderr
	printer := ui.New(config)
	out := bufio.NewWriter(a.Stdout)
	l := source.Lister{
		Selector:      source.NewSelector(options.Selection, options.Links, metadata.ProfileOf(hosts.Source.System())),
		OneFileSystem: options.OneFileSystem,
		Found: func(path string, attr vfs.Attr, target string) {
			fmt.Fprintln(out, ui.ListLine(path, attr, target))
		},
		Failed: func(label, path string, err error) {
			printer.Event(report.Event{Kind: report.Fail, Root: label, Name: path, Err: err})
			a.exit = ExitFailed
		},
	}
	err = l.List(ctx, roots.Sources)
	_ = out.Flush() // Main reports write errors of the output
	return err
}
