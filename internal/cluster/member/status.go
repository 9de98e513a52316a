package member

import (
	"context"
	"fmt"
	"io"
	"time"

	"psync/internal/cli/flags"
	"psync/internal/cluster/overview"
	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
)

// Status writes the state of the latest job of a name, and reports whether everything is done.
func Status(ctx context.Context, q flags.Queue, to io.Writer) (complete bool, err error) {
	state, lease, err := stateOf(ctx, q)
	if err != nil {
		return false, err
	}
	for _, line := range overview.Lines(state, lease) {
		if _, err := fmt.Fprintln(to, line); err != nil {
			return false, err
		}
	}
	return state.Closed && state.Status == 0, nil
}

// Over reports whether the latest job of a name has ended, and its exit status.
func Over(ctx context.Context, q flags.Queue) (status int, over bool) {
	state, _, err := stateOf(ctx, q)
	return state.Status, err == nil && state.Closed
}

// stateOf returns the state of the latest job of a name, and how long its leases last.
func stateOf(ctx context.Context, q flags.Queue) (state queue.State, lease time.Duration, err error) {
	a, err := addressOf(q)
	if err != nil {
		return state, 0, err
	}
	s, err := dial(a, q)
	if err != nil {
		return state, 0, err
	}
	defer s.conn.Close()
	n, err := natsqueue.Latest(ctx, s.conn, a.Job)
	switch {
	case err != nil:
		return state, 0, err
	case n == 0:
		return state, 0, fmt.Errorf("%s: %w", a, ErrNoJob)
	}
	j, state, err := s.look(ctx, n)
	if err != nil {
		return state, 0, err
	}
	j.close()
	return state, j.queue.Lease(), nil
}
