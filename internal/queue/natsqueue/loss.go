package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"psync/internal/queue"
)

// askPause is the time between a question that the server has not answered and the next one.
const askPause = 100 * time.Millisecond

// A loss is what a process has found to be lost.
type loss struct {
	is    chan struct{} // closed when anything is
	cause *atomic.Pointer[error]
}

func newLoss() loss { return loss{make(chan struct{}), new(atomic.Pointer[error])} }

// err returns the error for what is lost, or nil.
func (l loss) err() error {
	if cause := l.cause.Load(); cause != nil {
		return *cause
	}
	return nil
}

// Lost returns a channel that is closed when the server is found to have lost something; see queue.ErrLost.
func (q *Queue) Lost() <-chan struct{} { return q.lost.is }

// lose has every request fail from now on, and returns the error of the first call.
func (q *Queue) lose(err error) error {
	if q.lost.cause.CompareAndSwap(nil, &err) {
		close(q.lost.is)
	}
	return q.lost.err()
}

// follows reports whether a command follows what this process has carried out, so that it can be carried out, too. after is
// what its sender says about that, and err is ErrPast if that is something else. Otherwise the server has lost something, or
// ctx has ended.
func (q *Queue) follows(ctx context.Context, at jetstream.SequencePair, after mark, err error) bool {
	own := q.replica.last()
	switch {
	case q.lost.err() != nil:
		return false
	case at.Stream <= own.Seq:
		_ = q.lose(fmt.Errorf("%w: command %d has followed command %d", queue.ErrLost, at.Stream, own.Seq))
		return false
	case at.Consumer == 1 && own.Seq > 0:
		// The client follows the stream anew, because the connection was lost, or the server has begun anew. Whether there is
		// something between the two commands that this process does not know of, only the server can say.
		if is, answered := q.ask(ctx, own.Seq); !answered || is != (place{true, own.Message}) {
			return q.isUnknown(answered, own.Seq)
		}
	}
	if !errors.Is(err, ErrPast) || after.Seq >= at.Stream {
		return true
	}
	is, answered := q.ask(ctx, after.Seq)
	if !answered || isBehind(q.replica.at(after.Seq), is, after) {
		return q.isUnknown(answered, after.Seq)
	}
	return true
}

// isUnknown returns false. If the server has answered, it has another command than this process with a number.
func (q *Queue) isUnknown(answered bool, seq uint64) bool {
	if answered {
		_ = q.lose(fmt.Errorf("%w: command %d is another one than it was", queue.ErrLost, seq))
	}
	return false
}

// ask asks the server which command is at a number, until it answers or ctx ends.
func (q *Queue) ask(ctx context.Context, seq uint64) (is place, answered bool) {
	for {
		try, cancel := context.WithTimeout(ctx, patience)
		is, err := q.stream.at(try, seq)
		cancel()
		switch {
		case err == nil:
			return is, true
		case errors.Is(err, jetstream.ErrStreamNotFound):
			return place{}, true
		}
		select {
		case <-time.After(askPause):
		case <-ctx.Done():
			return place{}, false
		}
	}
}
