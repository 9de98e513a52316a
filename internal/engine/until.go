package engine

import (
	"context"
	"errors"
	"fmt"

	"psync/internal/pace"
)

// A StopError says that a limit of the run was reached before everything was done. Work that had begun was completed, but
// nothing more was started.
type StopError struct {
	Limit  error // what was reached
	Left   int64 // directories that the run did not complete
	Unseen int64 // those of Left that it had not looked into
}

func (e *StopError) Error() string {
	switch e.Left {
	case 0:
		return e.Limit.Error()
	case 1:
		return fmt.Sprintf("%v; 1 directory is left, with all that is below", e.Limit)
	}
	return fmt.Sprintf("%v; %d directories are left, %d of which were not looked into", e.Limit, e.Left, e.Unseen)
}

// The causes with which the context of a run ends when a limit is reached.
var (
	errTimeOver    = errors.New("the time is over")
	errTransferred = errors.New("as much was transferred as is allowed")
)

type inHandKey struct{}

// withinLimits returns a context that ends with ctx or when a limit of the run is reached, so that nothing more is started.
func (r *run) withinLimits(ctx context.Context) (context.Context, context.CancelFunc) {
	j := &r.job.Job
	if !j.IsLimited() {
		return ctx, func() {}
	}
	limited, cancel := context.WithCancelCause(context.WithValue(ctx, inHandKey{}, ctx))
	if j.MaxTransfer > 0 {
		j.Content.Pace = pace.NewQuota(j.MaxTransfer, j.Content.Pace, func() { cancel(errTransferred) })
	}
	if j.Until.IsZero() {
		return limited, func() { cancel(nil) }
	}
	limited, stop := context.WithDeadlineCause(limited, j.Until, errTimeOver)
	return limited, func() { stop(); cancel(nil) }
}

// inHand returns the context for an entry that was already started and is completed even though a limit is reached.
func (r *run) inHand(ctx context.Context) context.Context {
	if !r.job.Job.IsLimited() {
		return ctx
	}
	return ctx.Value(inHandKey{}).(context.Context)
}

// stopped returns err, or a StopError if err says that a limit is reached.
func (r *run) stopped(err error) error {
	if err != errTimeOver && err != errTransferred {
		return err
	}
	unseen := r.unseen.Load()
	return &StopError{Limit: err, Left: unseen + r.unfinishedDirs.Load(), Unseen: unseen}
}
