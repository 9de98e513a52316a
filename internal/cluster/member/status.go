package member

import (
	"context"
	"fmt"
	"io"

	"psync/internal/cli/flags"
	"psync/internal/cluster/overview"
	"psync/internal/queue/natsqueue"
)

// Status writes the state of the latest job of a name, and reports whether everything is done.
func Status(ctx context.Context, q flags.Queue, to io.Writer) (complete bool, err error) {
	a, err := addressOf(q)
	if err != nil {
		return false, err
	}
	s, err := dial(a, q)
	if err != nil {
		return false, err
	}
	defer s.conn.Close()
	n, err := natsqueue.Latest(ctx, s.conn, a.Job)
	switch {
	case err != nil:
		return false, err
	case n == 0:
		return false, fmt.Errorf("%s: %w", a, ErrNoJob)
	}
	j, state, err := s.look(ctx, n)
	if err != nil {
		return false, err
	}
	defer j.close()
	for _, line := range overview.Lines(state, j.queue.Lease()) {
		if _, err := fmt.Fprintln(to, line); err != nil {
			return false, err
		}
	}
	return state.Closed && state.Status == 0, nil
}

// Over reports whether the latest job of a name has ended, and its exit status.
func Over(ctx context.Context, q flags.Queue) (status int, over bool) {
	a, err := addressOf(q)
	if err != nil {
		return 0, false
	}
	s, err := dial(a, q)
	if err != nil {
		return 0, false
	}
	defer s.conn.Close()
	n, err := natsqueue.Latest(ctx, s.conn, a.Job)
	if err != nil || n == 0 {
		return 0, false
	}
	j, state, err := s.look(ctx, n)
	if err != nil {
		return 0, false
	}
	defer j.close()
	return state.Status, state.Closed
}
