package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"psync/internal/record"
	"psync/internal/report"
	"psync/internal/walk"
)

// ErrInterrupted is the cause of a context that ends because the user wants the run to end.
var ErrInterrupted = errors.New("interrupted")

// A Run is a copy, a comparison or a removal whose operands, logs and other files are open.
type Run struct {
	Stats        *report.Stats
	Workers      *walk.Size // which may be changed while the run goes on
	Receives     bool       // files come from another host to this one
	Original     string     // what the only entry to copy is called in SRC, if its copy gets another name
	NewDest      bool       // DST is made
	NewBackupDir bool       // the directory of --backup-dir is made when it is needed

	options *Options
	engine  func(context.Context, report.Sink) error
	shared  *int                  // the exit status of the job, once that has ended, if several hosts share it
	count   func(context.Context) // nil: the amount of work stays unknown
	log     *record.Recorder
	copy    copyFiles
	release func() // closes the operands

	started  chan struct{} // closed when volumes are waited for
	stopped  func()        // ends that; nil before
	finished bool          // the logs and other files are closed
}

// newRun returns a run whose operands release closes.
func newRun(o *Options, release func()) *Run {
	return &Run{Stats: new(report.Stats), options: o, release: release, started: make(chan struct{})}
}

// A Result says how a run has ended.
type Result struct {
	Totals  report.Totals
	Elapsed time.Duration
	Err     error   // why the run has ended early or, an *[IncompleteError], that the journal lacks something; or nil
	Audit   *Audit  // what the journal proves; nil if there is none, or the run has not come to its end
	Shared  *int    // the exit status of the job that several hosts share, if it has ended
	Files   []error // what is wrong with the files that [Output] names
}

// Interrupted reports whether the user has ended the run.
func (r *Result) Interrupted() bool {
	return errors.Is(r.Err, ErrInterrupted) || errors.Is(r.Err, context.Canceled)
}

// defaultStatus is the status of a run.
func defaultStatus(r Result) int {
	if r.Err != nil || len(r.Files) > 0 || r.Totals[report.Failed] > 0 || r.Totals[report.Unkeeps] > 0 {
		return 1
	}
	return 0
}

// Do carries the run out, once, and reports its events to sink, which may be nil.
func (r *Run) Do(ctx context.Context, sink report.Sink) Result {
	sink = r.log.Before(r.copy.failures.Before(cmp.Or[report.Sink](sink, ignored{})))
	r.stopped = r.options.Volumes.Start(ctx, sink) // which Close calls: Count may still be waiting for a volume
	close(r.started)
	start := time.Now()
	err := r.engine(ctx, sink)
	audit, err := r.copy.journal.audit(ctx, err)
	if audit != nil {
		r.log.Audit(audit)
	}
	return Result{Totals: r.Stats.Totals(), Elapsed: time.Since(start), Err: err, Audit: audit, Shared: r.shared}
}

// ignored is a sink for those who do not want to know.
type ignored struct{}

func (ignored) Event(report.Event)  {}
func (ignored) Wants() report.Wants { return report.Wants{} }

// Count counts the files of the sources in Stats.Expected while Do works, if that is possible, until ctx ends. It returns
// before Close is called.
func (r *Run) Count(ctx context.Context) {
	if r.count == nil {
		return
	}
	select {
	case <-r.started:
		r.count(ctx)
	case <-ctx.Done():
	}
}

// Finish completes and closes the files that the run writes in addition to DST. It returns the result with Files set. The
// logs and the journal record the exit status that status computes, which is called several times, each time with the result
// so far; if it is nil, the exit status is 0 or 1. The error is one of the journal.
func (r *Run) Finish(ctx context.Context, result Result, status func(Result) int) (Result, error) {
	if status == nil {
		status = defaultStatus
	}
	r.finished = true
	if err := r.copy.failures.Close(); err != nil {
		result.Files = append(result.Files, fmt.Errorf("%s: %w", r.options.Output.Failures, err))
	}
	exit := status(result)
	err := r.log.End(record.Outcome{Totals: result.Totals, Err: result.Err, Exit: exit, Interrupted: result.Interrupted()})
	if err != nil {
		result.Files = append(result.Files, fmt.Errorf("the log is not complete: %w", err))
	}
	if list := r.copy.sums.list; list != nil {
		if err := list.Close(); err != nil {
			result.Files = append(result.Files, fmt.Errorf("%s: %w", r.options.Output.Manifest, err))
		}
	}
	switch {
	case r.copy.sums.history == nil:
	case status(result) != 0:
		result.Files = append(result.Files, ErrNoMHL)
	default:
		result.Files = append(result.Files, r.copy.sums.writeHistory(ctx, r.options.Operands.Hosts.Dest, r.copy.roots)...)
	}
	return result, r.copy.journal.end(status(result))
}

// Close closes the operands, and the files that Finish has not completed. Hosts stay connected until their Dialer is closed.
func (r *Run) Close() {
	if r.stopped != nil {
		r.stopped()
	}
	r.discard()
	r.release()
}

// discard closes the files that the run writes in addition to DST as they are, unless Finish has done so.
func (r *Run) discard() {
	if r.finished {
		return
	}
	r.finished = true
	_ = r.copy.failures.Close()
	if r.copy.sums.list != nil {
		_ = r.copy.sums.list.Close()
	}
	_ = r.log.Close()
	_ = r.copy.journal.end(defaultStatus(Result{Err: ErrInterrupted}))
}
