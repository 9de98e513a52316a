package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/manifest/check"
	"psync/internal/report"
	"psync/internal/run"
	"psync/internal/ui"
)

// compareManifest runs compare --manifest=FILE DIR.
func (a *app) compareManifest(c *cobra.Command, o *flags.Options, args []string) error {
	if wrong := o.BesideManifest(c.Flags()); wrong != "" {
		return fmt.Errorf("--manifest says what is compared, and it is contents: leave out --%s", wrong)
	}
	a.started = true
	options := a.options(o, args)
	options.Sources, options.Dest = args, ""
	check, err := run.OpenManifestCheck(c.Context(), options, inputsOf(o))
	if err != nil {
		return err
	}
	defer check.Close()
	config := o.UI
	config.Out, config.Err = a.Stdout, a.Stderr
	found := findings{a: a, label: check.Label, printer: ui.New(config)}
	found.end(o, check.Do(c.Context(), found.add))
	return nil
}

// findings are what was found to differ from a manifest.
type findings struct {
	a       *app
	label   string // of the directory, in messages
	printer *ui.Printer

	differ, missing, more, bad int64
}

func (f *findings) add(found check.Finding) {
	path := ui.Escape(found.Path)
	switch found.Kind {
	case check.Differs:
		f.differ++
		fmt.Fprintf(f.a.Stdout, "differs (contents): %s\n", path)
	case check.Missing:
		f.missing++
		fmt.Fprintf(f.a.Stdout, "missing: %s\n", path)
	case check.Additional:
		f.more++
		fmt.Fprintf(f.a.Stdout, "additional: %s\n", path)
	case check.Failed:
		f.bad++
		f.printer.Event(report.Event{Kind: report.Fail, Root: f.label, Name: found.Path, Err: found.Err})
	}
}

// end prints a summary of the comparison, if that is wanted, and sets the exit code.
func (f *findings) end(o *flags.Options, err error) {
	if o.UI.Verbose && !o.UI.Quiet {
		fmt.Fprintf(f.a.Stderr, "psync: %d differ, %d missing, %d additional, %d could not be read\n", f.differ, f.missing, f.more, f.bad)
	}
	switch {
	case errors.Is(err, run.ErrInterrupted), errors.Is(err, context.Canceled):
		f.a.exit = ExitInterrupted
	case err != nil || f.bad > 0:
		f.a.exit = ExitTrouble
	case f.differ+f.missing+f.more > 0:
		f.a.exit = ExitDiffers
	}
}
