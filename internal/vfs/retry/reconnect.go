package retry

import (
	"context"
	"errors"
	"fmt"
	"time"

	"psync/internal/pace"
)

const (
	// mostEarlyBreaks is how many connections in a row may break before anything arrives.
	mostEarlyBreaks = 30
	// The pause between two attempts to connect doubles each time, from firstDial to longestDial.
	firstDial, longestDial = time.Second, 8 * time.Second
)

// reconnect calls dial, which makes one attempt to connect to a host again, until it succeeds or reports that another
// attempt does not help. After limit, or when ctx is done, it returns the error of the last attempt that was not cut short.
func reconnect(ctx context.Context, limit time.Duration, dial func(context.Context) (retryable bool, err error)) error {
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
