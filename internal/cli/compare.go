package cli

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/operand"
	"psync/internal/report"
	"psync/internal/sys"
	"psync/internal/ui"
)

// Exit codes of compare, those of cmp and diff.
const (
	ExitDiffers = 1
	ExitTrouble = 2
)

// compareFlags are the flags of compare, as typed.
type compareFlags struct {
	runFlags
	ruleFlags
	linkFlags
	metadataFlags

	checksum, sizeOnly bool
	window             seconds
}

func (a *app) compareCommand() *cobra.Command { return a.compareCommandOf(new(compareFlags)) }

func (a *app) compareCommandOf(f *compareFlags) *cobra.Command {
	c := &cobra.Command{
		Use:     "compare [flags] SRC DST",
		Aliases: []string{"check", "verify"},
		Short:   "List the differences of two trees, and change nothing",
		Long: `Compare lists in what two directory trees differ: entries that only one of them
has, and entries whose type, size, modification time or mode is not the same.
On macOS extended attributes count as well, as they do to sync there.
It changes nothing, and reads contents only with -c. The mode of the two
directories themselves does not count without -p, as sync does not touch it.

What is compared besides is said by the flags by which a copy keeps it. They count
in the order in which they are given; "no-" before the name or letter of one switches
it off: -a --no-o compares what -a does, but for owners.

Exit status:
   0  the trees are equal
   1  they differ
   2  some of it could not be compared, or the command line is wrong`,
		Example: `  psync compare ~/Pictures /mnt/nas/Pictures
  psync verify -c ~/Pictures /mnt/nas/Pictures   # read every byte
  psync compare -aHAX /mnt/old/home /mnt/new/home  # with owners, links, ACLs, attributes`,
		Annotations: map[string]string{usageExit: "2"},
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return fmt.Errorf("compare takes SRC and DST, two directories, not %d operands", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error { return a.compare(c, f, args) },
	}
	fs := c.Flags()
	fs.SortFlags = false
	f.addThreads(fs, false)
	f.addOutput(fs, "end with a line of figures")
	fs.BoolVarP(&f.checksum, "checksum", "c", false, "compare the contents of files of the same size")
	fs.BoolVar(&f.sizeOnly, "size-only", false, "take files of the same size for equal")
	fs.Var(&f.window, "modify-window", "times that differ by at most `SECONDS` are equal (default: what the file systems can tell apart)")
	f.metadataFlags.add(fs, true)
	timesByDefault(fs, "do not compare modification times")
	f.ruleFlags.add(fs)
	f.linkFlags.add(fs)
	fs.SetNormalizeFunc(synonyms)
	return c
}

func (f *compareFlags) check(c *cobra.Command) error {
	if f.checksum && f.sizeOnly {
		return errors.New("--checksum and --size-only exclude each other")
	}
	defaults := f.plain()
	if f.sizeOnly {
		defaults &^= keepMtimes
	}
	return firstError(
		f.metadataFlags.settle(defaults),
		f.runFlags.check(),
		f.ruleFlags.check(c.Flags(), false),
	)
}

// options makes a comparison of what is a dry run of a sync that removes.
func (f *compareFlags) options(dirs int, alwaysShare bool) engine.Options {
	keep := f.keep(true, 0)
	policy := policyFlags{sync: true, checksum: f.checksum, sizeOnly: f.sizeOnly || !keep.Mtime && !f.checksum, window: f.window}
	p := f.specials(policy.policy())
	p.Compare, p.Links = true, f.linkFlags.options()
	return engine.Options{
		Auto: f.threads.auto, AlwaysShare: alwaysShare, OpenDirs: dirs,
		DryRun: true,
		Policy: p,
		Keep:   keep,
		User:   thisUser(),

		HardLinks: f.hardLinks(), FetchDataless: bool(f.dataless),
		Streams: defaultStreams, StreamsFar: true, Cutoff: defaultCutoff,

		Selection:     source.Selection{Rules: f.rules, VolumeFiles: f.volumeFiles},
		Delete:        engine.Delete{On: true, EmptySource: true, CrossMounts: !f.oneFileSystem},
		OneFileSystem: f.oneFileSystem,
	}
}

// compare runs the verb of that name.
func (a *app) compare(c *cobra.Command, f *compareFlags, args []string) error {
	if err := f.check(c); err != nil {
		return err
	}
	a.started, a.trouble = true, ExitTrouble
	roots, err := operand.OpenTrees(args[0], args[1], operand.Options{Noatime: f.on.has(keepAtimes), FetchDataless: bool(f.dataless)})
	if err != nil {
		return err
	}
	defer roots.Close()
	printer := ui.New(ui.Config{
		Out: a.stdout, Err: a.stderr, Compare: true,
		Verbose: f.verbose, Quiet: f.quiet, Itemize: f.itemize,
		Plain: os.Getenv("TERM") == "dumb",
	})
	workers, dirs, settled := a.workers(&f.runFlags, roots.Network, 0)
	defer settled()
	stats := new(report.Stats)
	defer onInfo(sys.InfoSignals(), printer.ProgressLine(stats))()
	elapsed := stopwatch()
	err = engine.Run(c.Context(), engine.Job{
		Options: f.options(dirs, a.alwaysShare),
		Sources: roots.Sources, Dest: roots.Dest, DestLabel: roots.DestPath,
		Workers: workers, Sink: printer, Stats: stats, Activity: &a.activity,
	})
	totals := stats.Totals()
	a.exit = exitCode(totals, err)
	a.finish(&f.runFlags, printer, totals, elapsed(), err)
	switch {
	case a.exit == ExitInterrupted:
	case a.exit != ExitOK:
		a.exit = ExitTrouble
	case printer.Differences() > 0:
		a.exit = ExitDiffers
	}
	return nil
}
