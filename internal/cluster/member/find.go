package member

import (
	"context"
	"errors"
	"fmt"
	"time"

	"psync/internal/cluster"
	"psync/internal/cluster/fence"
	"psync/internal/queue/natsqueue"
)

const (
	findPause  = 200 * time.Millisecond // between attempts to find a job
	retryPause = time.Second            // between attempts to reach a server
	notePause  = 3 * time.Second        // after which the user hears what is waited for
	maxRefused = 5                      // messages that are noted
)

// Find implements [run.Member]. It finds the job that this host takes part in, or begins it if this host keeps the journal.
func (m *Member) Find(ctx context.Context) error {
	f, err := fence.New() // where there is none, nothing is begun
	if err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	s, err := m.connect(ctx)
	if err != nil {
		return err
	}
	s.refused = m.noteRefused
	begin, w := time.Now(), wait{server: s}
	answered := begin
	for noted := false; ; {
		found, err := m.findOn(ctx, &w)
		switch unanswered := natsqueue.IsUnavailable(err); {
		case err != nil && ctx.Err() != nil:
			return context.Cause(ctx) // which says that it was interrupted
		case unanswered && time.Since(answered) >= m.options.Flags.RetryFor():
			return unreachable(m.address, err)
		case unanswered:
		case found || err != nil:
			return explained(err)
		default:
			answered = time.Now()
		}
		if !noted && time.Since(begin) >= notePause {
			noted = true
			m.note(w.what())
		}
		if err := pause(ctx, findPause); err != nil {
			return err
		}
	}
}

// A wait is one for a job.
type wait struct {
	server
	looked bool
	over   int // jobs of the name up to this number have ended
	status int // the exit status of that one
}

// what says what is waited for.
func (w *wait) what() string {
	const what = "waiting for the host with --journal, which begins the job"
	if w.over == 0 {
		return what
	}
	return fmt.Sprintf("the last job has ended with exit status %d; %s", w.status, what)
}

// findOn looks for the job once.
func (m *Member) findOn(ctx context.Context, w *wait) (found bool, err error) {
	latest, err := natsqueue.Latest(ctx, w.conn, w.address.Job)
	if err != nil {
		return false, err
	}
	// A job that has ended is that of this host if it has begun meanwhile, or if this is a later child of the supervisor.
	isOurs := w.looked || m.options.Child > 1 || m.resumes
	w.looked = true
	if latest > w.over {
		j, state, err := w.look(ctx, latest)
		j.ended, j.status = state.Closed, state.Status
		switch hasBegun := state.Round.N > 0 || state.Records > 0 || len(state.Members) > 0; {
		case err != nil:
			return false, err
		case state.Closed && !isOurs:
			w.over, w.status = latest, state.Status
			j.close()
		case hasBegun && m.keeps() && !m.resumes:
			return false, fmt.Errorf("%s: %w", w.address, ErrGoesOn)
		case !m.keeps() && state.Round.N == 0 && len(state.Members) == 0: // the host with the journal comes first
			j.close()
		default:
			m.job = j
			return true, nil
		}
	}
	if m.keeps() {
		m.job, err = w.open(ctx, latest+1, true)
		return err == nil, err
	}
	if m.options.Child > 1 { // the first one has found it, and has ended since the server lost something
		return false, cluster.ErrGone
	}
	return false, nil
}

// noteRefused notes what was refused. The first times are enough: anyone who can write to the job can do so all the time.
func (m *Member) noteRefused(err error) {
	if errors.Is(err, natsqueue.ErrPast) {
		if !m.lost.Swap(true) {
			m.note("the server has lost the end of the job; hosts that had seen it begin anew")
		}
		return
	}
	if m.refused.Add(1) <= maxRefused {
		m.note(fmt.Sprintf("refused: %v", err))
	}
}

// connect connects to the server. A later child of the supervisor waits for it, because it may be the reason why there are
// several.
func (m *Member) connect(ctx context.Context) (s server, err error) {
	begin := time.Now()
	for {
		s, err = dial(m.address, m.options.Flags.Queue)
		if err == nil || m.options.Child <= 1 || time.Since(begin) >= m.options.Flags.RetryFor() {
			return s, err
		}
		if err := pause(ctx, retryPause); err != nil {
			return s, err
		}
	}
}
