package cli

import (
	"bufio"
	"context"
	"fmt"

	"psync/internal/cli/flags"
	"psync/internal/report"
	"psync/internal/run"
	"psync/internal/ui"
	"psync/internal/vfs"
)

// listOnly lists what of the sources takes part, and copies nothing. DST counts for nothing, and may be missing.
func (a *app) listOnly(ctx context.Context, o *flags.Options, args []string) error {
	if len(args) == 1 {
		args = append(args, ".")
	}
	a.started = true
	config := o.UI
	config.Out, config.Err = a.Stdout, a.Stderr
	printer := ui.New(config)
	out := bufio.NewWriter(a.Stdout)
	err := run.List(ctx, a.options(o, args),
		func(path string, attr vfs.Attr, target string) {
			if o.Engine.NoLinks {
				target = ""
			}
			fmt.Fprintln(out, ui.ListLine(path, attr, target))
		},
		func(label, path string, err error) {
			printer.Event(report.Event{Kind: report.Fail, Root: label, Name: path, Err: err})
			a.exit = ExitFailed
		})
	_ = out.Flush() // Main reports write errors of the output
	return err
}
