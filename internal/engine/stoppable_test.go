package engine

import (
	"context"
	"errors"
	"testing"
)

// A lateContext is done, but its children are not yet.
type lateContext struct{ context.Context }

func (lateContext) Err() error { return context.Canceled }

// TestInterruptComesFirst has a worker fail because of an interrupt before the run itself is interrupted.
func TestInterruptComesFirst(t *testing.T) {
	ctx, stop := stoppable(lateContext{t.Context()})
	stop(errors.New("the connection is lost"))
	if err := context.Cause(ctx); err != context.Canceled {
		t.Errorf("the run ends because of %v", err)
	}
}
