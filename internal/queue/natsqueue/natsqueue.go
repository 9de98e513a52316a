// Package natsqueue implements [queue.Queue] by a stream of NATS JetStream for each job.
//
// Every change is a command: a message of the stream. Each process carries out the commands of all processes, in the
// order of the stream, on a [memqueue.Queue] of its own, which is a replica of the job. All replicas are alike, and so is
// what each of them says about a command, because they see the same commands in the same order, at the times that the
// server has stamped them with. No host's clock matters. That a bundle has one holder, that a put is conditional
// and whole, and that requests may be repeated is what memqueue does, and what its tests prove. The server
// keeps an order of messages that it has acknowledged, on one server or on several: a release from 2.10 on does that.
//
// Records are messages of the same stream, under another subject, so that no one but the keeper receives them. A record
// counts if it stands between the commands that begin and end its round.
//
// Anyone who may publish can write anything. What is not a command of this job, or exceeds a limit, is refused
// alike by all replicas, and each of them reports it.
package natsqueue

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/queue"
)

const (
	// patience is how long a request may take before it is unknown whether it was carried out.
	patience = 10 * time.Second
	// maxMessage is the size of messages that the server must take: a bundle in base64.
	maxMessage = 1 << 20
)

// Options say how a job is opened.
type Options struct {
	Job      string
	Number   int           // which of the jobs of that name; 0: 1
	Create   bool          // the stream if there is none; watchers must not
	Lease    time.Duration // of a job that is created; others have theirs
	Replicas int           // servers that keep a job that is created; 0: one
	Refused  func(error)   // receives the errors for messages that are ignored; nil: no one does
}

// A Queue is a [queue.Queue] that a server of NATS holds.
type Queue struct {
	conn    *nats.Conn
	stream  stream
	replica *replica
	refused func(error)

	mu   sync.Mutex // guards what follows
	tail tail
}

// Open opens a job, and follows it until ctx ends.
func Open(ctx context.Context, conn *nats.Conn, o Options) (*Queue, error) {
	if err := queue.CheckJob(o.Job); err != nil {
		return nil, err
	}
	if size := conn.MaxPayload(); size < maxMessage {
		return nil, fmt.Errorf("the server takes messages of %d bytes only; its max_payload must be at least %d", size, maxMessage)
	}
	o.Job = numbered(o.Job, o.Number)
	js, err := jetstream.New(conn)
	if err != nil {
		return nil, err
	}
	s, err := openStream(ctx, js, o)
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", o.Job, deniedOr(conn, err))
	}
	q := &Queue{conn: conn, stream: s, replica: newReplica(s.lease), refused: o.Refused}
	if q.refused == nil {
		q.refused = func(error) {}
	}
	if err := s.follow(ctx, commands, false, q.receive); err != nil {
		return nil, fmt.Errorf("job %s: %w", o.Job, err)
	}
	return q, nil
}

// receive carries out a command that comes from the server.
func (q *Queue) receive(m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		q.refused(err) // it is not one of the stream
		return
	}
	c, err := parse(m.Data(), q.stream.job)
	if err := q.replica.carryOut(meta.Sequence.Stream, meta.Timestamp, c, err); err != nil {
		q.refuse(meta.Sequence.Stream, err)
	}
}

func (q *Queue) refuse(seq uint64, err error) {
	q.refused(fmt.Errorf("message %d of job %s: %w", seq, q.stream.job, err))
}

// do publishes a command, and returns what the replica says about it.
func (q *Queue) do(ctx context.Context, c command) (queue.Claim, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c.Job, c.ID = q.stream.job, queue.NewID()
	data, err := json.Marshal(c)
	switch {
	case err != nil:
		return queue.Claim{}, err
	case len(data) > maxMessage:
		return queue.Claim{}, fmt.Errorf("a message of %d bytes: %w", len(data), queue.ErrTooLarge)
	case ctx.Err() != nil:
		return queue.Claim{}, context.Cause(ctx)
	}
	answers := q.replica.expect(ctx, c.ID)
	if _, err := q.stream.js.Publish(ctx, q.stream.subject(commands), data); err != nil {
		return queue.Claim{}, deniedOr(q.conn, err)
	}
	select {
	case a := <-answers:
		return a.claim, a.err
	case <-ctx.Done():
		return queue.Claim{}, context.Cause(ctx)
	}
}

// catchUp waits until the replica has carried out all commands that the server has at a moment after the call. It returns
// the time, by the clock of the server, of one before that moment.
func (q *Queue) catchUp(ctx context.Context) (time.Time, error) {
	now, err := q.stream.now(ctx)
	if err != nil {
		return now, err
	}
	last, err := q.stream.last(ctx, commands)
	if err != nil {
		return now, err
	}
	return now, q.replica.await(ctx, last)
}
