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
	"psync/internal/quote"
	"psync/internal/report"
	"psync/internal/run"
	"psync/internal/sys"
	"psync/internal/ui"
	"psync/internal/ui/terminal"
	"psync/internal/walk"
)

// run carries out a run, and shows its progress and its result. The error is one of the journal.
func (a *app) run(ctx context.Context, o *flags.Options, r *run.Run) error {
	config := o.UI
	config.Out, config.Err, config.Plain = a.Stdout, a.Stderr, dumbTerminal()
	config.Failures = o.Output.Failures
	if o.Output.JSON == "-" {
		config.Out = io.Discard
	}
	if o.Shown.Progress {
		config.InHand = a.activity.Transfers
	}
	printer := ui.New(config)
	defer onSignals([]os.Signal{syscall.SIGUSR1, syscall.SIGUSR2}, func(s os.Signal) { resize(r.Workers, s) })()
	showProgress := printer.ProgressLine(r.Stats)
	defer onSignals(sys.InfoSignals(), func(os.Signal) { showProgress() })()
	a.serveMetrics(o, r)
	stop := a.progress(ctx, o, r, printer)
	result := r.Do(ctx, printer)
	a.noteAudit(o, result.Audit)
	stop()
	a.exit = exitCode(result.Totals, result.Err)
	a.summarize(o, printer, result)
	a.noteRules(o, result.Err)
	result, err := r.Finish(ctx, result, func(result run.Result) int {
		code := exitOf(result)
		if a.exitAs != nil {
			code = a.exitAs(code, result.Err)
		}
		if o.UI.Compare {
			code = compareExit(code, printer.Differences())
		}
		a.exit = code
		return code
	})
	for _, err := range result.Files {
		a.complainOfFile(o, err)
	}
	return err
}

// resize doubles or halves the number of workers on SIGUSR1 and SIGUSR2.
func resize(workers *walk.Size, s os.Signal) {
	if s == syscall.SIGUSR1 {
		workers.Double()
	} else {
		workers.Halve()
	}
}

// summarize ends the output of a run.
func (a *app) summarize(o *flags.Options, printer *ui.Printer, result run.Result) {
	outcome := ui.Outcome{Totals: result.Totals, Elapsed: result.Elapsed, Err: result.Err, Interrupted: result.Interrupted()}
	if errors.As(result.Err, new(*run.IncompleteError)) {
		outcome.Err, outcome.Incomplete = nil, result.Err
	}
	_ = printer.Summary(outcome) // Main reports write errors of the output
	if a.figures != nil {
		a.figures(result)
	}
	if o.Shown.Stats {
		_ = ui.Stats(a.Stdout, result.Totals, result.Elapsed)
	}
	advise(a.Stderr, hintIn(o, result.Err))
	if result.Totals[report.Private] > 0 {
		advise(a.Stderr, privacyHint)
	}
}

// noteRules prints a note, with -v, for each rule that has matched nothing, if the run has come to its end and looked at
// all directories.
func (a *app) noteRules(o *flags.Options, err error) {
	early := err != nil && !errors.As(err, new(*run.IncompleteError))
	if early || o.Output.Resume || !o.UI.Verbose {
		return
	}
	for _, what := range o.UnmatchedRules() {
		a.note(o, what)
	}
}

// noteAudit prints a note if the journal proves that everything is done.
func (a *app) noteAudit(o *flags.Options, audit *run.Audit) {
	if audit == nil || !audit.Complete {
		return
	}
	what := fmt.Sprintf("complete: the journal says that all %d directories are done", audit.Found)
	if audit.Looked < audit.Found {
		what += fmt.Sprintf("; this run looked at %d of them in DST, and %s looks at all", audit.Looked, quote.CommandLine([]string{"status", "--check", audit.Journal}))
	}
	a.note(o, what)
}

// complainOfFile reports what is wrong with a file that the run writes in addition to DST.
func (a *app) complainOfFile(o *flags.Options, err error) {
	switch {
	case errors.Is(err, run.ErrNoMHL):
		a.warn(o, err.Error())
	case errors.Is(err, run.ErrInterrupted): // which the user knows
	default:
		complain(a.Stderr, err, "")
	}
}

// progress starts the progress display, if it is wanted, and the walk that determines the amount of work. The
// walk does not start before the display appears.
func (a *app) progress(ctx context.Context, o *flags.Options, r *run.Run, printer *ui.Printer) (stop func()) {
	if o.Shown.NoProgress || o.UI.Quiet || !o.Shown.Progress && !terminal.Is(a.Stderr) {
		return func() {}
	}
	delay := time.Second
	if o.Shown.Progress {
		delay = 0
	}
	ctx, cancel := context.WithCancel(ctx)
	counted := make(chan struct{})
	timer := time.AfterFunc(delay, func() {
		defer close(counted)
		r.Count(ctx)
	})
	stopBar := printer.Progress(ctx, r.Stats, delay)
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
