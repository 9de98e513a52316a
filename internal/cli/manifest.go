package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"psync/internal/cli/flags"
	"psync/internal/localfs"
	"psync/internal/manifest"
	"psync/internal/manifest/check"
	"psync/internal/report"
	"psync/internal/ui"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// readManifest reads a manifest, and returns the identity of its file, or zero for that of another host.
func readManifest(open flags.OpenFunc, name string, on vfs.Host) (list map[string]manifest.Sum, self vfs.ID, err error) {
	in, err := open(name)
	if err != nil {
		return nil, self, fmt.Errorf("--manifest: %w", err)
	}
	list, err = manifest.Read(in)
	if cerr := in.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return nil, self, fmt.Errorf("--manifest=%s: %w", name, err)
	}
	if attr, err := on.Stat(name); err == nil && name != "-" {
		self = attr.ID()
	}
	return list, self, nil
}

// compareManifest runs compare --manifest=FILE DIR.
func (a *app) compareManifest(c *cobra.Command, o *flags.Options, args []string) error {
	if wrong := o.BesideManifest(c.Flags()); wrong != "" {
		return fmt.Errorf("--manifest says what is compared, and it is contents: leave out --%s", wrong)
	}
	a.started = true
	list, self, err := readManifest(inputsOf(o), o.Output.Manifest, localfs.Host{})
	if err != nil {
		return err
	}
	paths, host, err := a.connectOne(c.Context(), o, args)
	if err != nil {
		return err
	}
	dir, err := host.Open(paths[0], true)
	if err != nil {
		return err
	}
	defer dir.Close()
	v, err := dir.Statfs()
	threads := o.Threads.First(err == nil && v.Network, a.roundTrip)
	config := o.UI
	config.Out, config.Err = a.Stdout, a.Stderr
	found := findings{a: a, label: host.Prefix + paths[0], printer: ui.New(config)}
	err = check.Run(c.Context(), check.Job{
		Dir: dir, List: list, Self: self, Workers: walk.NewSize(threads, threads), Found: found.add,
	})
	found.end(o, err)
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

// end tells how the comparison has ended, and sets the exit code.
func (f *findings) end(o *flags.Options, err error) {
	if o.UI.Verbose && !o.UI.Quiet {
		fmt.Fprintf(f.a.Stderr, "psync: %d differ, %d missing, %d additional, %d could not be read\n", f.differ, f.missing, f.more, f.bad)
	}
	switch {
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		f.a.exit = ExitInterrupted
	case err != nil || f.bad > 0:
		f.a.exit = ExitTrouble
	case f.differ+f.missing+f.more > 0:
		f.a.exit = ExitDiffers
	}
}
