// Package reconnect says how often, and for how long, psync tries to connect to a host again whose connection is lost.
package reconnect

import (
	"context"
	"errors"
	"fmt"
	"time"

	"psync/internal/pace"
)

// DefaultTimeout is how long a host may be unreachable unless the user says otherwise.
const DefaultTimeout = 2 * time.Minute

const (
	// MostEarlyBreaks is how many connections in a row may break before anything arrives.
	MostEarlyBreaks = 30
	// The pause between two attempts to connect doubles each time, from firstDial to longestDial.
	firstDial, longestDial = time.Second, 8 * time.Second
)

// Retry calls dial, which makes one attempt to connect to a host again, until it succeeds or reports that another
// attempt does not help. After limit, or when ctx is done, it returns the error of the last attempt that was not cut short.
func Retry(ctx context.Context, limit time.Duration, dial func(context.Context) (retryable bool, err error)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("there was no answer within %s", limit))
	defer cancel()
	var last error
	for pause := firstDial; ; pause = min(2*pause, longestDial) {
		retryable, err := dial(ctx)
		switch {
		case err == nil || !retryable:
			return err
		case ctx.Err() == nil:
			last = err
		case last != nil:
			return last
		case errors.Is(err, ctx.Err()):
			return context.Cause(ctx)
		}
		if pace.Sleep(ctx, pause) != nil {
			return err
		}
	}
}

// EarlyBreaks counts connections in a row that break before anything arrives.
type EarlyBreaks int

// Add counts a connection that has broken, after progress or without. The error says that there were too many without.
func (n *EarlyBreaks) Add(progress bool) error {
	if *n++; progress {
		*n = 0
	}
	if *n == MostEarlyBreaks {
		return fmt.Errorf("the connection was cut off %d times before anything came", MostEarlyBreaks)
	}
	return nil
}

// ReturnText says that a host was connected to again.
const ReturnText = "connected again"

// LostText says that the connection to a host is lost, and for how long psync tries to connect again.
func LostText(limit time.Duration) string {
	text := limit.String()
	if limit == DefaultTimeout {
		text = "two minutes"
	}
	return fmt.Sprintf("the connection is lost; psync tries for %s to connect again", text)
}

// WaitDone waits a moment for ctx to be done, and reports whether it is. An interrupt at a terminal goes to the command that
// is the connection, too, whose end may be noticed first.
func WaitDone(ctx context.Context) bool {
	return pace.Sleep(ctx, 100*time.Millisecond) != nil
}
