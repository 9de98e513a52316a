package natsqueue

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A follower receives the commands of a job.
//
// Of several servers, one may end that a client is connected to. Then the client follows the stream on another one; but at
// times, in one of seven runs of a test, it never does, and no error says so. So the follower begins anew if a command has
// been published, and nothing has come back before the request ended.
type follower struct {
	begin func() (stop context.CancelFunc, err error)

	mu    sync.Mutex         // held while a command is carried out; guards what follows
	stop  context.CancelFunc // nil: it could not begin
	began time.Time          // when it last began anew
}

// follow receives the commands that follow the last one that was carried out, until ctx ends or stop is called. The caller
// holds q.follower.mu if it is not the first.
func (q *Queue) follow(ctx context.Context) (stop context.CancelFunc, err error) {
	ctx, stop = context.WithCancel(ctx)
	err = q.stream.follow(ctx, q.stream.behind(q.replica.last().Seq, commands), func(m jetstream.Msg) {
		q.follower.mu.Lock()
		defer q.follower.mu.Unlock()
		if ctx.Err() == nil {
			q.receive(ctx, m)
		}
	})
	if err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// noteSilence has the follower begin anew if ctx has ended because commands were awaited, and no one has come since before
// was the last one.
func (q *Queue) noteSilence(ctx context.Context, before mark) {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) && q.replica.last() == before {
		go q.follower.beginAnew()
	}
}

// beginAnew begins anew, unless a command is being carried out, or it has just done so.
func (f *follower) beginAnew() {
	if !f.mu.TryLock() {
		return
	}
	defer f.mu.Unlock()
	if f.stop != nil {
		if time.Since(f.began) < patience {
			return
		}
		f.stop()
	}
	f.began = time.Now()
	f.stop, _ = f.begin() // otherwise the next request that is not answered has it try once more
}
