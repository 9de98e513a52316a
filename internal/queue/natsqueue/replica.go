package natsqueue

import (
	"context"
	"errors"
	"sync"
	"time"

	"psync/internal/queue"
	"psync/internal/queue/memqueue"
)

// A replica is what has become of a job by the commands up to one of them.
type replica struct {
	job *memqueue.Queue

	mu      sync.Mutex // guards what follows
	now     time.Time  // by the clock of the server; the job has no other
	past    past       // what it has carried out
	advance chan struct{}
	waiting map[queue.ID]chan answer // own commands that are still to be carried out
	rounds  []begun
	closed  uint64 // the command that ended the job
}

// An answer is what a replica says about a command.
type answer struct {
	claim queue.Claim
	err   error
}

// begun is the command that began a round.
type begun struct {
	seq   uint64
	round int
}

func newReplica(lease time.Duration, server string) *replica {
	r := &replica{advance: make(chan struct{}), waiting: make(map[queue.ID]chan answer)}
	r.job = memqueue.New(lease, func() time.Time { return r.now })
	r.job.Serve(server)
	return r
}

// expect returns a channel that receives the answer to a command that is about to be sent, until ctx ends.
func (r *replica) expect(ctx context.Context, id queue.ID) <-chan answer {
	answers := make(chan answer, 1)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting[id] = answers
	context.AfterFunc(ctx, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.waiting, id)
	})
	return answers
}

// setLocked sets the clock, which never goes back.
func (r *replica) setLocked(now time.Time) {
	if now.After(r.now) {
		r.now = now
	}
}

// last returns the last command.
func (r *replica) last() mark {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.past.last()
}

// has reports whether a mark is part of its past.
func (r *replica) has(m mark) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.past.has(m)
}

// at returns which command it has carried out with a number.
func (r *replica) at(seq uint64) place {
	r.mu.Lock()
	defer r.mu.Unlock()
	m, ok := r.past.find(seq)
	return place{ok, m.Message}
}

// carryOut carries out a command, the message with a number, a time and a hash, unless err says why it is none. It returns an
// error for what no process would send.
func (r *replica) carryOut(seq uint64, at time.Time, hash uint32, c command, err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.setLocked(at)
	var a answer
	if err == nil {
		a, err = r.applyLocked(seq, c)
	}
	if waits := r.waiting[c.ID]; waits != nil {
		waits <- a
		delete(r.waiting, c.ID)
	}
	r.past.add(seq, hash)
	close(r.advance)
	r.advance = make(chan struct{})
	return err
}

func (r *replica) applyLocked(seq uint64, c command) (a answer, refused error) {
	ctx := context.Background() // nothing waits
	r.job.Serve(c.Server)
	switch {
	case c.Do == "join" && c.Member != nil:
		a.err = r.job.Join(ctx, *c.Member)
	case c.Do == "report" && c.Status != nil:
		a.err = r.job.Report(ctx, c.Who, *c.Status)
	case c.Do == "leave":
		a.err = r.job.Leave(ctx, c.Who)
	case c.Do == "claim":
		a.claim, a.err = r.job.Claim(ctx, c.Who, c.Request, c.Round.N)
	case c.Do == "put":
		a.err = r.job.Put(ctx, c.Claim.queue(), c.Bundles...)
	case c.Do == "renew":
		a.err = r.job.Renew(ctx, c.Claim.queue())
	case c.Do == "finish":
		a.err = r.job.Finish(ctx, c.Claim.queue())
	case c.Do == "give back":
		a.err = r.job.GiveBack(ctx, c.Claim.queue())
	case c.Do == "begin" && c.Round.Phase <= queue.Audit:
		if a.err = r.job.Begin(ctx, c.Round); a.err == nil && r.roundLocked(seq) != c.Round.N {
			r.rounds = append(r.rounds, begun{seq, c.Round.N})
		}
	case c.Do == "close":
		if a.err = r.job.Close(ctx, c.Exit); a.err == nil && r.closed == 0 {
			r.closed = seq
		}
	default:
		return a, ErrMessage
	}
	if errors.Is(a.err, queue.ErrPath) || errors.Is(a.err, queue.ErrTooLarge) {
		return a, a.err
	}
	return a, nil
}

// roundLocked returns the round at a place in the stream.
func (r *replica) roundLocked(seq uint64) (round int) {
	for _, b := range r.rounds {
		if b.seq < seq {
			round = b.round
		}
	}
	return round
}

// await waits until a command is carried out, or the past has changed.
func (r *replica) await(ctx context.Context, seq uint64, lost loss) error {
	for {
		r.mu.Lock()
		applied, advance := r.past.last().Seq, r.advance
		r.mu.Unlock()
		if applied >= seq {
			return nil
		}
		select {
		case <-advance:
		case <-lost.is:
			return lost.err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// state returns the state of the job at a time by the clock of the server.
func (r *replica) state(ctx context.Context, now time.Time) (queue.State, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.setLocked(now)
	return r.job.State(ctx)
}

// counts returns an error unless a record stands between the commands that begin and end its round. Those that precede it
// must have been carried out.
func (r *replica) counts(seq uint64, round int) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.closed > 0 && r.closed < seq:
		return queue.ErrClosed
	case round != r.roundLocked(seq):
		return queue.ErrRound
	}
	return nil
}
