package member

import (
	"context"
	"errors"
	"os"
	"strconv"
	"time"

	"psync/internal/cli/flags"
	"psync/internal/cluster"
	"psync/internal/cluster/facts"
	"psync/internal/queue"
	"psync/internal/queue/address"
	"psync/internal/queue/natsqueue"
	"psync/internal/queue/protocol"
	"psync/internal/run"
	"psync/internal/sshconn/hosterror"
)

var (
	// ErrGoesOn is the error for a new journal of a job that has one.
	ErrGoesOn = errors.New("this job has another journal, and has not ended")
	// ErrNoJob is the error for a job that has never been there.
	ErrNoJob = errors.New("there is no such job")
)

// leaseVar is the environment variable for how long the leases of a job last that this process begins, for tests.
const leaseVar = "PSYNC_QUEUE_LEASE"

// A job is one that a server has.
type job struct {
	address string
	number  int // of the jobs of that name
	queue   *natsqueue.Queue
	ended   bool   // before this host has come
	status  int    // its exit status then
	close   func() // ends following it
}

// name returns what distinguishes the job from others of the same name.
func (j job) name() string { return j.address + "#" + strconv.Itoa(j.number) }

// A server has jobs.
type server struct {
	address address.Address
	conn    *natsqueue.Conn
	refused func(error) // receives the errors for messages that no host of the job has sent
}

// addressOf returns the address of a job on a server that can be trusted.
func addressOf(q flags.Queue) (address.Address, error) {
	a, err := address.Parse(q.URL)
	if err != nil {
		return a, err
	}
	return a, a.Check(security(q))
}

func security(q flags.Queue) address.Security {
	return address.Security{CA: q.CA, Credentials: q.Credentials, Insecure: q.Insecure}
}

// dial connects to a server.
func dial(a address.Address, q flags.Queue) (server, error) {
	conn, err := natsqueue.Dial(a, security(q))
	if err != nil {
		return server{}, unreachable(a, err)
	}
	return server{address: a, conn: conn}, nil
}

// unreachable returns the error for a server that cannot be reached.
func unreachable(a address.Address, err error) error {
	port, _ := strconv.Atoi(a.Port)
	return &hosterror.Error{Host: a.Host, Port: port, Err: err, Remedy: "is the server running? psync cluster serve DIR runs one there"}
}

// explained returns an error with what the user may do about it.
func explained(err error) error {
	remedy := facts.Hint(err)
	switch {
	case errors.Is(err, ErrGoesOn):
		remedy = "--resume goes on with its journal; for another job write another name"
	case errors.Is(err, cluster.ErrOtherJournal):
		remedy = "--resume with the journal of this job goes on with it; a job that begins needs a new one"
	case errors.Is(err, cluster.ErrGone), errors.Is(err, queue.ErrLost):
		remedy = "a new --journal, of a job with another name, begins anew; what was copied is current"
	case remedy == "":
		return err
	}
	return &run.MemberError{Err: err, Remedy: remedy}
}

// look opens a job that is there, and returns its state.
func (s server) look(ctx context.Context, number int) (j job, state queue.State, err error) {
	if j, err = s.open(ctx, number, false); err != nil {
		return j, state, err
	}
	state, err = j.queue.State(ctx)
	return j, state, err
}

// open opens a job, which is followed even when ctx ends: claims are given back then.
func (s server) open(ctx context.Context, number int, create bool) (job, error) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	q, err := natsqueue.Open(ctx, s.conn, natsqueue.Options{
		Job: s.address.Job, Number: number, Create: create, Lease: newLease(), Refused: s.refused,
	})
	if err != nil {
		cancel()
	}
	return job{address: s.address.String(), number: number, queue: q, close: cancel}, err
}

// newLease returns how long the leases of a job last that begins.
func newLease() time.Duration {
	if d, err := time.ParseDuration(os.Getenv(leaseVar)); err == nil && d > 0 {
		return d
	}
	return protocol.Lease
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
