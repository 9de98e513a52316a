package cli

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"psync/internal/engine"
	"psync/internal/operand"
	"psync/internal/report"
	"psync/internal/sys"
	"psync/internal/ui"
)

// removalFlags are the flags of delete, as typed.
type removalFlags struct {
	runFlags
	dryRun, force, oneFileSystem bool
}

func (a *app) deleteCommand() *cobra.Command {
	f := new(removalFlags)
	c := &cobra.Command{
		Use:   "delete [flags] PATH...",
		Short: "Remove trees in parallel",
		Long: `Delete removes files, and directories with everything in them. It follows no
symbolic link: a link is removed itself. It stops at what is mounted in a tree,
and refuses /, . and .. and mount points. On a terminal it asks first.

Exit status:
   0  everything was removed
   1  the command line is wrong, or nobody could be asked
   3  an operand is missing or refused; nothing was removed
  11  the file system is read-only, or standard output cannot be written
  20  interrupted, or the answer was no
  23  some entries could not be removed`,
		Example: `  psync delete -n old-backup      # what would be removed?
  psync delete -f build cache`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return a.delete(c, f, args) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.addThreads(flags, false)
	flags.BoolVarP(&f.dryRun, "dry-run", "n", false, "list what would be removed, and do nothing")
	flags.BoolVarP(&f.force, "force", "f", false, "do not ask, and ignore what does not exist")
	flags.BoolVarP(&f.oneFileSystem, "one-file-system", "x", true, "leave alone what is mounted in a tree (=false: remove that, too)")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list what is removed, and end with a line of figures")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print errors only")
	addHumanReadable(flags)
	f.addProgress(flags)
	flags.SetNormalizeFunc(synonyms)
	return c
}

// delete runs the verb of that name.
func (a *app) delete(c *cobra.Command, f *removalFlags, args []string) error {
	if err := f.check(); err != nil {
		return err
	}
	if !f.force && !f.dryRun && !ui.IsTerminal(a.stdin) {
		return errNobodyToAsk
	}
	a.started = true
	operands, err := operand.OpenParents(args, f.force, f.oneFileSystem)
	if err != nil {
		return err
	}
	if !f.force && !f.dryRun && !a.agrees(c.Context(), args) {
		a.exit = ExitInterrupted
		return nil
	}
	printer := ui.New(ui.Config{
		Out: a.stdout, Err: a.stderr, Removal: true,
		Verbose: f.verbose, Quiet: f.quiet, DryRun: f.dryRun,
		Plain: os.Getenv("TERM") == "dumb",
	})
	workers, dirs, settled := a.workers(&f.runFlags, operands.Network, 1) // a parent of operands
	defer settled()
	stats := new(report.Stats)
	defer onInfo(sys.InfoSignals(), printer.ProgressLine(stats))()
	stop := a.progress(c.Context(), &f.runFlags, f.dryRun, printer, stats, nil)
	elapsed := stopwatch()
	err = engine.Remove(c.Context(), engine.RemoveJob{
		Workers: workers, Auto: f.threads.auto, AlwaysShare: a.alwaysShare, OpenDirs: dirs, DryRun: f.dryRun, CrossMounts: !f.oneFileSystem,
		Trees: operands.Trees(), Sink: printer, Stats: stats, Activity: &a.activity,
	})
	took := elapsed()
	stop()
	totals := stats.Totals()
	a.exit = exitCode(totals, err)
	a.finish(&f.runFlags, printer, totals, took, err)
	return nil
}

// agrees asks whether the operands are to be removed.
func (a *app) agrees(ctx context.Context, args []string) bool {
	var names []string
	for _, arg := range args {
		names = append(names, ui.Escape(arg))
	}
	fmt.Fprintf(a.stderr, "psync: remove %s, with everything below? [y/N] ", strings.Join(names, ", "))
	answers := make(chan string, 1) // so that an answer which nobody waits for is no burden
	go func() {
		answer, _ := bufio.NewReader(a.stdin).ReadString('\n')
		answers <- strings.ToLower(strings.TrimSpace(answer))
	}()
	select {
	case answer := <-answers:
		if answer == "y" || answer == "yes" {
			return true
		}
	case <-ctx.Done():
		fmt.Fprintln(a.stderr)
	}
	fmt.Fprintln(a.stderr, "psync: nothing was removed")
	return false
}
