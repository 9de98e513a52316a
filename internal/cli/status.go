package cli

import (
	"context"
	"errors"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"psync/internal/cli/flaggroup"
	"psync/internal/cli/flags"
	"psync/internal/cli/help"
	"psync/internal/cli/proof"
	"psync/internal/journal"
	"psync/internal/run"
	"psync/internal/sys"
)

// maxOpenListed is how many directories that are not done psync status lists without -v.
const maxOpenListed = 20

// statusCommand returns the verb that says what a journal proves.
func (a *app) statusCommand() *cobra.Command {
	c := &cobra.Command{
		Use:               "status [flags] JOURNAL | --queue URL",
		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
		Args: func(c *cobra.Command, args []string) error {
			switch shared := c.Flags().Changed("queue"); {
			case shared && len(args) > 0:
				return errors.New("--queue asks the server for the state of a job: leave JOURNAL out")
			case shared:
				return nil
			}
			switch len(args) {
			case 0:
				return errors.New("JOURNAL is missing")
			case 1:
				return nil
			}
			return errors.New("there is one JOURNAL to a job: ask for them one after the other")
		},
	}
	help.Describe(c, "status")
	verbose := c.Flags().BoolP("verbose", "v", false, "list all directories that are not done (up to 10,000)")
	looks := c.Flags().Bool("check", false, "also look in DST at each directory that the journal calls done: that it is there, not what is in it")
	o, shared := addFlags(c, flags.Compare, flags.HeadingRemote), addFlags(c, flags.Copy, flags.HeadingQueue)
	c.RunE = func(c *cobra.Command, args []string) error {
		if shared.Queue.URL != "" && a.Cluster == nil {
			return a.becomeCluster()
		}
		if err := o.Complete(c.Flags(), inputsOf(o)); err != nil {
			return err
		}
		a.started = true
		if shared.Queue.URL != "" {
			return a.sharedStatus(c.Context(), shared.Queue)
		}
		return a.status(c.Context(), o, args[0], *verbose, *looks)
	}
	return c
}

// addFlags adds those flags of another verb that are under a heading.
func addFlags(c *cobra.Command, verb flags.Verbs, heading string) *flags.Options {
	defined := new(cobra.Command)
	o := flags.Define(defined, verb)
	defined.Flags().VisitAll(func(f *pflag.Flag) {
		if flaggroup.HeadingOf(f) == heading {
			c.Flags().AddFlag(f)
		}
	})
	return o
}

// status prints what a journal proves. The exit status says whether that is that everything is done.
func (a *app) status(ctx context.Context, o *flags.Options, name string, verbose, looks bool) error {
	f, err := journal.Read(name, sys.BootID())
	if err != nil {
		return err
	}
	defer f.Close()
	audit, err := f.Audit()
	if err != nil {
		return err
	}
	if !audit.Complete() || f.Running || proof.WasRefused(f) {
		a.exit = ExitIncomplete
	}
	most := maxOpenListed
	if verbose {
		most = math.MaxInt
	}
	proof.Print(a.Stdout, f, audit)
	if !looks {
		proof.PrintResult(a.Stdout, f, audit, most, "complete, as the runs have recorded it; --check also looks in DST")
		return nil
	}
	checked, err := run.CheckJournal(ctx, a.options(o, []string{""}), f)
	if err != nil {
		return err
	}
	proof.PrintChecked(a.Stdout, f.Job, checked, most)
	if len(checked.Wrong) > 0 {
		a.exit = ExitIncomplete
		advise(a.Stderr, "psync sync with the flags of this job copies what DST has lost; --resume would not look there")
		return nil
	}
	proof.PrintResult(a.Stdout, f, audit, most, "complete")
	return nil
}
