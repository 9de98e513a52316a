package run

import (
	"context"

	"psync/internal/engine"
	"psync/internal/journal"
	"psync/internal/operand"
	"psync/internal/report"
)

// A Member takes part in a copy that several hosts share.
type Member interface {
	// Find finds the job that the hosts share, or waits for it, before anything is opened: only one of them makes DST.
	Find(ctx context.Context) error
	// Join finds out whether this host can take part in the job. No file has been made yet.
	Join(ctx context.Context, roots *operand.Roots, j engine.Job) error
	// Run works on the job until that has ended, and returns its exit status. kept is its journal if this host keeps it.
	Run(ctx context.Context, j engine.Job, kept *KeptJournal) (status int, err error)
}

// A KeptJournal is a journal that a host keeps for all of them.
type KeptJournal struct {
	Name   string
	Writer *journal.Writer
}

// share has a member carry out the copy rather than the engine of this process alone.
func (r *Run) share(job func(sink report.Sink) engine.Job) func(context.Context, report.Sink) error {
	return func(ctx context.Context, sink report.Sink) error {
		var kept *KeptJournal
		if j := r.copy.journal; j != nil {
			kept = &KeptJournal{j.name, j.writer}
		}
		status, err := r.options.Member.Run(ctx, job(sink), kept)
		if err == nil {
			r.shared = &status
		}
		return err
	}
}

// A MemberError says why a host cannot take part in a job.
type MemberError struct {
	Err    error
	Remedy string // what the user may do, or ""
}

func (e *MemberError) Error() string { return e.Err.Error() }
func (e *MemberError) Unwrap() error { return e.Err }
