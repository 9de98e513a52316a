package engine

import (
	"context"
	"errors"
	"fmt"
)

// A StopError says that the time of a run was over before everything was done. Work that had begun was completed, but
// nothing more was started.
type StopError struct {
	Left   int64 // directories that the run did not complete
	Unseen int64 // those of Left that it had not looked into
}

func (e *StopError) Error() string {
	switch e.Left {
	case 0:
		return errTimeOver.Error()
	case 1:
		return fmt.Sprintf("%v; 1 directory is left, with all that is below", errTimeOver)
	}
	return fmt.Sprintf("%v; %d directories are left, %d of which were not looked into", errTimeOver, e.Left, e.Unseen)
}

// errTimeOver is the cause with which the context of a run ends when its time is over.
var errTimeOver = errors.New("the time is over")

type inHandKey struct{}

// untilTimeIsOver returns a context that ends with ctx or when the time of the run is over, so that nothing more is
// started.
func (r *run) untilTimeIsOver(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.job.Job.Until.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadlineCause(context.WithValue(ctx, inHandKey{}, ctx), r.job.Job.Until, errTimeOver)
}

// inHand returns the context for an entry that was already started and is completed even though the time is over.
func (r *run) inHand(ctx context.Context) context.Context {
	if r.job.Job.Until.IsZero() {
		return ctx
	}
	return ctx.Value(inHandKey{}).(context.Context)
}

// stopped returns err, or a StopError if err says that the time is over.
func (r *run) stopped(err error) error {
	if err != errTimeOver {
		return err
	}
	unseen := r.unseen.Load()
	return &StopError{Left: unseen + r.unfinishedDirs.Load(), Unseen: unseen}
}
