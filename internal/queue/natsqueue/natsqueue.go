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
	"errors"
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
	conn     *nats.Conn
	stream   stream
	replica  *replica
	refused  func(error)
	lost     loss
	follower follower

	mu    sync.Mutex // guards what follows
	tail  tail
	known uint64 // the highest number of a message that this process has sent
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
	s, err := openStream(ctx, js, server(conn), o)
	if err != nil {
		return nil, fmt.Errorf("job %s: %w", o.Job, deniedOr(conn, err))
	}
	q := &Queue{conn: conn, stream: s, replica: newReplica(s.lease, s.server), refused: o.Refused, lost: newLoss()}
	if q.refused == nil {
		q.refused = func(error) {}
	}
	q.follower.begin = func() (context.CancelFunc, error) { return q.follow(ctx) }
	if q.follower.stop, err = q.follow(ctx); err != nil {
		return nil, fmt.Errorf("job %s: %w", o.Job, err)
	}
	return q, nil
}

// receive carries out a command that comes from the server, until ctx ends.
func (q *Queue) receive(ctx context.Context, m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		q.refused(err) // it is not one of the stream
		return
	}
	seq := meta.Sequence.Stream
	c, err := parse(m.Data(), q.stream.job)
	if err == nil && !q.replica.has(c.After) {
		err = ErrPast
	}
	if !q.follows(ctx, meta.Sequence, c.After, err) {
		return
	}
	if err := q.replica.carryOut(seq, meta.Timestamp, hashOf(seq, meta.Timestamp, m.Data()), c, err); err != nil {
		q.refuse(seq, err)
	}
}

func (q *Queue) refuse(seq uint64, err error) {
	q.refused(fmt.Errorf("message %d of job %s: %w", seq, q.stream.job, err))
}

// do publishes a command, and returns what the replica says about it.
func (q *Queue) do(ctx context.Context, c command) (queue.Claim, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c.Job, c.ID, c.After, c.Server = q.stream.job, queue.NewID(), q.replica.last(), server(q.conn)
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
	if _, err := q.publish(ctx, &nats.Msg{Subject: q.stream.subject(commands), Data: data}); err != nil {
		return queue.Claim{}, err
	}
	before := q.replica.last()
	select {
	case a := <-answers:
		return a.claim, a.err
	case <-q.lost.is:
		return queue.Claim{}, q.lost.err()
	case <-ctx.Done():
		q.noteSilence(ctx, before)
		return queue.Claim{}, context.Cause(ctx)
	}
}

// publish has the server add a message, and returns its number.
func (q *Queue) publish(ctx context.Context, m *nats.Msg) (seq uint64, err error) {
	known := q.knownSeq()
	ack, err := q.stream.js.PublishMsg(ctx, m)
	switch {
	case errors.Is(err, jetstream.ErrNoStreamResponse): // it may be gone
		_, checked := q.check(ctx)
		return 0, errors.Join(err, checked)
	case err != nil:
		return 0, deniedOr(q.conn, err)
	case ack.Sequence <= known && !ack.Duplicate:
		return 0, q.lose(fmt.Errorf("%w: message %d has followed message %d", queue.ErrLost, ack.Sequence, known))
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	q.known = max(q.known, ack.Sequence)
	return ack.Sequence, nil
}

// check returns the time by the clock of the server, unless that has lost something.
func (q *Queue) check(ctx context.Context) (time.Time, error) {
	if err := q.lost.err(); err != nil {
		return time.Time{}, err
	}
	now, err := q.stream.check(ctx, q.knownSeq())
	if errors.Is(err, queue.ErrLost) {
		err = q.lose(err)
	}
	return now, err
}

// knownSeq returns the highest number that the server is known to have given to a message.
func (q *Queue) knownSeq() uint64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return max(q.known, q.replica.last().Seq)
}

// catchUp waits until the replica has carried out all commands that the server has at a moment after the call. It returns
// the time, by the clock of the server, of one before that moment.
func (q *Queue) catchUp(ctx context.Context) (time.Time, error) {
	now, err := q.check(ctx)
	if err != nil {
		return now, err
	}
	last, err := q.stream.last(ctx, commands)
	if err != nil {
		return now, err
	}
	before := q.replica.last()
	err = q.replica.await(ctx, last, q.lost)
	if err != nil {
		q.noteSilence(ctx, before)
	}
	return now, err
}
