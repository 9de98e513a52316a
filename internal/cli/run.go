package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"psync/internal/cli/flags"
	"psync/internal/record"
	"psync/internal/report"
	"psync/internal/sys"
	"psync/internal/ui"
	"psync/internal/walk"
)

// A runSpec is what a verb adds to the run that all verbs share.
type runSpec struct {
	options   *flags.Options
	network   bool // one side is a network file system
	perWorker int  // entries that each worker has open in addition to those of every run
	// count determines the amount of work for the progress display; nil: the amount stays unknown.
	count    func(context.Context, *report.Stats)
	start    func(context.Context, resources) error
	failures *record.FailureList // gets the paths that failed; nil if nobody wants them
	// exitCode returns the exit code of a verb with special exit codes; nil: the verb has the usual exit codes.
	exitCode func(code int, differences int64) int
}

// The resources of a run are the objects that it works with and reports to.
type resources struct {
	workers  *walk.Size
	openDirs int // idle directories on each side
	printer  *ui.Printer
	sink     report.Sink // the printer, or what passes events on to it
	stats    *report.Stats
}

// run executes the run that s describes, and shows its progress and its result.
func (a *app) run(ctx context.Context, s runSpec) {
	config := s.options.UI
	config.Out, config.Err, config.Plain = a.Stdout, a.Stderr, dumbTerminal()
	config.Failures = s.options.Output.Failures
	if s.options.Output.JSON == "-" {
		config.Out = io.Discard
	}
	r := resources{printer: ui.New(config), stats: new(report.Stats)}
	r.sink = a.log.Before(s.failures.Before(r.printer))
	r.workers, r.openDirs = a.newWorkers(&s)
	defer onSignals([]os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}, func(s os.Signal) { resize(r.workers, s) })()
	showProgress := r.printer.ProgressLine(r.stats)
	defer onSignals(sys.InfoSignals(), func(os.Signal) { showProgress() })()
	defer s.options.Volumes.Start(ctx, r.sink)()
	a.serveMetrics(s.options, r)
	stop := a.progress(ctx, s, r)
	start := time.Now()
	err := s.start(ctx, r)
	elapsed := time.Since(start)
	stop()
	totals := r.stats.Totals()
	a.exit = exitCode(totals, err)
	a.summarize(s.options, r.printer, totals, elapsed, err)
	if err := s.failures.Close(); err != nil {
		complain(a.Stderr, fmt.Errorf("%s: %w", s.options.Output.Failures, err), "")
		a.exit = withoutOutput(a.exit, false)
	}
	if s.exitCode != nil {
		a.exit = s.exitCode(a.exit, r.printer.Differences())
	}
	a.endLog(record.Outcome{Totals: totals, Err: err, Exit: a.exit, Interrupted: a.exit == ExitInterrupted})
}

// newWorkers returns the workers of a run, and how many idle directories on each side may be open in addition
// to the files of the workers. If there is no room for the walk that counts, it takes that out of s.
func (a *app) newWorkers(s *runSpec) (workers *walk.Size, dirs int) {
	want, most := s.options.Threads.First(s.network, a.roundTrip), s.options.Threads.Most()
	n, dirs := want, openDirs
	if limit, err := sys.MaxOpenFiles(); err == nil {
		n, dirs = fit(want, s.perWorker, limit)
		most = min(most, room(dirs, s.perWorker, limit))
		if most < 1 {
			s.count = nil
		}
		if n < want {
			a.warn(s.options, fmt.Sprintf("%d workers instead of %d, for only %d files may be open (ulimit -n)", n, want, limit))
		}
	}
	return walk.NewSize(n, max(n, most)), dirs
}

// summarize ends the output of a run.
func (a *app) summarize(o *flags.Options, printer *ui.Printer, totals report.Totals, elapsed time.Duration, err error) {
	outcome := ui.Outcome{Totals: totals, Elapsed: elapsed, Err: err, Interrupted: a.exit == ExitInterrupted}
	if errors.As(err, new(*IncompleteError)) {
		outcome.Err, outcome.Incomplete = nil, err
	}
	_ = printer.Summary(outcome) // Main reports write errors of the output
	if o.Output.Stats {
		_ = ui.Stats(a.Stdout, totals, elapsed)
	}
	advise(a.Stderr, hintIn(o, err))
	if totals[report.Private] > 0 {
		advise(a.Stderr, privacyHint)
	}
}

func (a *app) warn(o *flags.Options, what string) {
	if !o.UI.Quiet {
		fmt.Fprintf(a.Stderr, "psync: warning: %s\n", ui.Escape(what))
	}
}

// note tells the user something that is no reason to worry.
func (a *app) note(o *flags.Options, what string) {
	if !o.UI.Quiet {
		fmt.Fprintf(a.Stderr, "psync: note: %s\n", ui.Escape(what))
	}
}

// progress starts the progress display, if it is wanted, and the walk that determines the amount of work. The
// walk does not start before the display appears.
func (a *app) progress(ctx context.Context, s runSpec, r resources) (stop func()) {
	o := s.options.Output
	if o.NoProgress || s.options.UI.Quiet || !o.Progress && !ui.IsTerminal(a.Stderr) {
		return func() {}
	}
	delay := time.Second
	if o.Progress {
		delay = 0
	}
	ctx, cancel := context.WithCancel(ctx)
	counted := make(chan struct{})
	timer := time.AfterFunc(delay, func() {
		defer close(counted)
		if s.count != nil {
			s.count(ctx, r.stats)
		}
	})
	stopBar := r.printer.Progress(ctx, r.stats, delay)
	return func() {
		cancel()
		if !timer.Stop() {
			<-counted
		}
		stopBar()
	}
}

// dumbTerminal reports whether the terminal, if there is one, does not support escape codes.
func dumbTerminal() bool { return os.Getenv("TERM") == "dumb" }
