package natsqueue

import (
	"context"
	"encoding/hex"
	"errors"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/queue"
)

// maxBatch is how many records are returned at a time.
const maxBatch = 100

// The headers of a record. They name the job, as commands do: a server can be asked to deliver messages of one stream into
// another.
const (
	jobHeader   = "Psync-Job"
	roundHeader = "Psync-Round"
)

// A tail is what Records found at the end of the stream.
type tail struct {
	valid uint64 // the last record that counts
	end   uint64 // the last message, which may be one that is refused
}

func (q *Queue) Append(ctx context.Context, r queue.Record) error {
	if err := r.Check(); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// The server ignores a message that has the identifier of an earlier one, and answers as it did.
	seq, err := q.publish(ctx, &nats.Msg{Subject: q.stream.subject(records), Data: r.Data, Header: nats.Header{
		jetstream.MsgIDHeader: {hex.EncodeToString(r.ID[:])},
		jobHeader:             {q.stream.job},
		roundHeader:           {strconv.Itoa(r.Round)},
	}})
	if err != nil {
		return err
	}
	if _, err := q.catchUp(ctx); err != nil {
		return err
	}
	return q.replica.counts(seq, r.Round)
}

func (q *Queue) Records(ctx context.Context, after uint64) (list []queue.Record, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	// Whether a message counts depends on the commands before it, so the end is asked for first.
	end, err := q.stream.last(ctx, records)
	if err != nil {
		return nil, err
	}
	if _, err := q.catchUp(ctx); err != nil {
		return nil, err
	}
	seq := after
	for len(list) < maxBatch && seq < end {
		m, err := q.stream.stream.GetMsg(ctx, seq+1, jetstream.WithGetMsgSubject(q.stream.subject(records)))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			break
		}
		if err != nil {
			return nil, err
		}
		if m.Sequence > end {
			break
		}
		seq = m.Sequence
		r, err := q.record(m)
		if err == nil {
			list = append(list, r)
			continue
		}
		if !errors.Is(err, queue.ErrRound) && !errors.Is(err, queue.ErrClosed) { // which late ones have
			q.refuse(seq, err)
		}
	}
	if len(list) == 0 {
		q.mu.Lock()
		q.tail = tail{valid: min(after, end), end: end}
		q.mu.Unlock()
	}
	return list, nil
}

// record returns the record in a message.
func (q *Queue) record(m *jetstream.RawStreamMsg) (queue.Record, error) {
	r := queue.Record{Data: m.Data, Offset: m.Sequence}
	var err error
	r.Round, err = strconv.Atoi(m.Header.Get(roundHeader))
	err = errors.Join(err, r.ID.UnmarshalText([]byte(m.Header.Get(jetstream.MsgIDHeader))))
	if err != nil || m.Header.Get(jobHeader) != q.stream.job {
		return r, errors.Join(ErrMessage, err)
	}
	return r, errors.Join(r.Check(), q.replica.counts(m.Sequence, r.Round))
}

func (q *Queue) State(ctx context.Context) (s queue.State, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	now, err := q.catchUp(ctx)
	if err != nil {
		return s, err
	}
	last, err := q.stream.last(ctx, records)
	if err != nil {
		return s, err
	}
	q.mu.Lock()
	if last == q.tail.end {
		last = q.tail.valid
	}
	q.mu.Unlock()
	s, err = q.replica.state(ctx, now)
	s.Records = last
	return s, err
}

func (q *Queue) Watch(ctx context.Context, t queue.Topic) (<-chan struct{}, error) {
	if t == queue.Work {
		return q.replica.job.Watch(ctx, t)
	}
	added := make(chan struct{}, 1)
	added <- struct{}{}
	return added, q.stream.follow(ctx, q.stream.onlyNew(records), func(jetstream.Msg) {
		select {
		case added <- struct{}{}:
		default: // it has not looked yet
		}
	})
}
