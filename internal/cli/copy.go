package cli

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"psync/internal/content"
	"psync/internal/engine"
	"psync/internal/engine/source"
	"psync/internal/operand"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/sys"
	"psync/internal/ui"
)

// copy runs the copying verbs. It returns an error if the run could not start;
// how a run that did has ended is in a.exit.
func (a *app) copy(c *cobra.Command, f *copyFlags, args []string) error {
	if err := f.check(c.Flags()); err != nil {
		return err
	}
	a.started = true
	roots, err := operand.Open(args, f.operandOptions())
	if err != nil {
		return err
	}
	defer roots.Close()
	aux, err := roots.OpenAux(f.AuxOptions, func(what string) { a.warn(f.quiet, what) })
	if err != nil {
		return err
	}
	defer aux.Close()

	printer := ui.New(ui.Config{
		Out: a.stdout, Err: a.stderr,
		Verbose: f.verbose, DryRun: f.dryRun, Quiet: f.quiet, Itemize: f.itemize,
		Plain: os.Getenv("TERM") == "dumb",
	})
	workers, dirs, settled := a.workers(&f.runFlags, !f.bare() && roots.Network, aux.PerWorker())
	defer settled()
	selection := source.Selection{Rules: f.rules, Files: f.files, Recurse: f.recurse, Prune: f.prune, VolumeFiles: f.volumeFiles}
	stats := new(report.Stats)
	defer onInfo(sys.InfoSignals(), printer.ProgressLine(stats))()
	stop := a.progress(c.Context(), &f.runFlags, f.dryRun, printer, stats, func(ctx context.Context) {
		if f.files == nil { // or else most of the source does not matter
			source.NewSelector(selection, plan.Links{}, nil).Count(ctx, roots.Sources, &stats.Expected)
		}
	})
	user := thisUser()
	took := stopwatch()
	err = engine.Run(c.Context(), engine.Job{
		Options: engine.Options{
			OpenDirs: dirs,
			DryRun:   f.dryRun,
			Policy:   f.policy(),
			Keep:     f.onUnsupported.apply(f.keep(f.sync, roots.Umask), askedFor(f.archived), user.Privileged()),
			User:     user,

			HardLinks: f.hardLinks(), Sparse: f.sparse(), FetchDataless: bool(f.dataless),

			Selection: selection, Delete: f.deleteFlags.options(),
			Backup: aux.Backup, TempDir: aux.TempDir, Alternatives: aux.Alternatives,
			OneFileSystem: f.oneFileSystem, RemoveSource: f.removeSource,

			Auto: f.threads.auto, AlwaysShare: a.alwaysShare,
			Streams: f.streams.n, StreamsFar: !f.streams.set, Cutoff: f.cutoff.n,
			Pace: f.pacer(), Reflink: content.Reflink(f.reflink), Preallocate: f.preallocate, Fsync: f.fsync,
		},
		Sources:   roots.Sources,
		Dest:      roots.Dest,
		DestLabel: roots.DestPath,
		DestIsNew: roots.DestIsNew,
		DestDev:   roots.DestDev,
		Workers:   workers,
		Sink:      printer,
		Stats:     stats,
		Activity:  &a.activity,
		Process:   thisProcess(),
	})
	elapsed := took()
	stop()

	totals := stats.Totals()
	a.exit = exitCode(totals, err)
	a.finish(&f.runFlags, printer, totals, elapsed, err)
	return nil
}

// finish ends the output of a run.
func (a *app) finish(f *runFlags, printer *ui.Printer, totals report.Totals, elapsed time.Duration, err error) {
	outcome := ui.Outcome{Totals: totals, Elapsed: elapsed, Err: err, Interrupted: a.exit == ExitInterrupted}
	_ = printer.Summary(outcome) // Main tells of output that cannot be written
	if f.stats {
		_ = ui.Stats(a.stdout, totals, elapsed)
	}
	advise(a.stderr, remedy(err))
	if totals[report.Private] > 0 {
		advise(a.stderr, privacyHint)
	}
}

func (a *app) warn(quiet bool, what string) {
	if !quiet {
		fmt.Fprintf(a.stderr, "psync: warning: %s\n", ui.Escape(what))
	}
}

// progress starts the progress display, if there is to be one, and the walk that
// finds out how much there is to do. Neither starts before the display appears.
func (a *app) progress(ctx context.Context, f *runFlags, dryRun bool, p *ui.Printer, stats *report.Stats, count func(context.Context)) (stop func()) {
	if f.noProgress || f.quiet || dryRun || !f.progress && !ui.IsTerminal(a.stderr) {
		return func() {}
	}
	delay := time.Second
	if f.progress {
		delay = 0
	}
	ctx, cancel := context.WithCancel(ctx)
	counted := make(chan struct{})
	timer := time.AfterFunc(delay, func() {
		defer close(counted)
		if count != nil {
			count(ctx)
		}
	})
	stopBar := p.Progress(ctx, stats, delay)
	return func() {
		cancel()
		if !timer.Stop() {
			<-counted
		}
		stopBar()
	}
}

// stopwatch returns a function that returns the time since.
func stopwatch() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}

// operandOptions say how the operands of a copy are opened.
func (f *copyFlags) operandOptions() operand.Options {
	return operand.Options{
		Scope:       operand.Scope{OneFileSystem: f.oneFileSystem, Rules: f.rules, Files: f.files, Recurse: f.recurse},
		MakeDest:    !f.bare() || f.create,
		MakeParents: f.create || f.mkpath,
		DryRun:      f.dryRun,
		Delete:      f.delete,
		Noatime:     f.openNoatime || f.on.has(keepAtimes), // or reading would change what is to be kept

		FetchDataless: bool(f.dataless), InsecureLinks: f.insecureLinks,
	}
}
