package protocol

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/queue"
	"psync/internal/queue/memqueue"
	"psync/internal/queue/queuetest"
)

// A lossy server may lose the last requests that it has carried out.
type lossy struct {
	mu     sync.Mutex // guards what follows
	job    *memqueue.Queue
	log    []logged
	at     time.Time // of the request that is carried out again; zero: none is
	losses int

	reached time.Time // when processes that were connected before the last loss reach the server again
}

// A logged is one that was carried out.
type logged struct {
	at time.Time
	do func(*memqueue.Queue)
}

func newLossy() *lossy {
	l := new(lossy)
	l.begin(nil)
	return l
}

// begin has the server begin with some requests, as one that is started again does.
func (l *lossy) begin(log []logged) {
	l.job = memqueue.New(Lease, func() time.Time {
		if l.at.IsZero() {
			return time.Now()
		}
		return l.at
	})
	server := fmt.Sprint(l.losses)
	l.log = append(log, logged{time.Now(), func(q *memqueue.Queue) { q.Serve(server) }})
	for _, r := range l.log {
		l.at = r.at
		r.do(l.job)
	}
	l.at = time.Time{}
}

// lose loses n requests, unless the job has ended. All processes have seen the last one, and find out after some time.
func (l *lossy) lose(n int, after time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s, _ := l.job.State(context.Background()); s.Closed || n >= len(l.log) {
		return
	}
	l.losses++
	l.reached = time.Now().Add(after)
	l.begin(l.log[:len(l.log)-n])
}

// open returns the queue as a process sees it that has connected now.
func (l *lossy) open() *connection {
	l.mu.Lock()
	defer l.mu.Unlock()
	return &connection{server: l, losses: l.losses, lost: make(chan struct{})}
}

// A connection finds that something was lost by the next request.
type connection struct {
	server *lossy
	losses int // that were before
	once   sync.Once
	lost   chan struct{}
}

// ask carries out a request.
func ask[T any](c *connection, changes bool, do func(context.Context, *memqueue.Queue) (T, error)) (answer T, err error) {
	l := c.server
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.losses == c.losses:
	case time.Now().Before(l.reached):
		return answer, queuetest.ErrLost
	default:
		c.once.Do(func() { close(c.lost) })
		return answer, queue.ErrLost
	}
	if changes {
		l.log = append(l.log, logged{time.Now(), func(q *memqueue.Queue) { _, _ = do(context.Background(), q) }})
	}
	return do(context.Background(), l.job)
}

func (c *connection) change(do func(context.Context, *memqueue.Queue) error) error {
	_, err := ask(c, true, func(ctx context.Context, q *memqueue.Queue) (struct{}, error) { return struct{}{}, do(ctx, q) })
	return err
}

func (c *connection) Join(_ context.Context, m queue.Member) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Join(ctx, m) })
}

func (c *connection) Report(_ context.Context, id queue.ID, s queue.Status) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Report(ctx, id, s) })
}

func (c *connection) Leave(_ context.Context, id queue.ID) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Leave(ctx, id) })
}

func (c *connection) Claim(_ context.Context, member, request queue.ID, round int) (queue.Claim, error) {
	return ask(c, true, func(ctx context.Context, q *memqueue.Queue) (queue.Claim, error) {
		return q.Claim(ctx, member, request, round)
	})
}

func (c *connection) Put(_ context.Context, of queue.Claim, bundles ...queue.Bundle) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Put(ctx, of, bundles...) })
}

func (c *connection) Renew(_ context.Context, of queue.Claim) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Renew(ctx, of) })
}

func (c *connection) Finish(_ context.Context, of queue.Claim) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Finish(ctx, of) })
}

func (c *connection) GiveBack(_ context.Context, of queue.Claim) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.GiveBack(ctx, of) })
}

func (c *connection) Append(_ context.Context, r queue.Record) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Append(ctx, r) })
}

func (c *connection) Begin(_ context.Context, r queue.Round) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Begin(ctx, r) })
}

func (c *connection) Close(_ context.Context, status int) error {
	return c.change(func(ctx context.Context, q *memqueue.Queue) error { return q.Close(ctx, status) })
}

func (c *connection) Records(_ context.Context, after uint64) ([]queue.Record, error) {
	return ask(c, false, func(ctx context.Context, q *memqueue.Queue) ([]queue.Record, error) { return q.Records(ctx, after) })
}

func (c *connection) State(context.Context) (queue.State, error) {
	return ask(c, false, func(ctx context.Context, q *memqueue.Queue) (queue.State, error) { return q.State(ctx) })
}

func (c *connection) Watch(watched context.Context, t queue.Topic) (<-chan struct{}, error) {
	return ask(c, false, func(_ context.Context, q *memqueue.Queue) (<-chan struct{}, error) { return q.Watch(watched, t) })
}

func (c *connection) Lost() <-chan struct{} { return c.lost }

// An observer is never behind.
type observer struct {
	*connection
}

func (o observer) State(ctx context.Context) (queue.State, error) { return o.server.open().State(ctx) }

// TestSimulationOfLosses has the server lose its last requests, at random. A process that has seen them does not know that
// before it asks for something and reaches the server, and may be stopped meanwhile.
func TestSimulationOfLosses(t *testing.T) {
	losses, repeated := 0, 0
	seeds := campaign.Seeds("HOSTS", 20, 500)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, r := newLossy(), rand.New(rand.NewPCG(seed, 12))
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				for range 1 + r.IntN(3) {
					at, n, after := time.Duration(r.Int64N(int64(5*time.Minute))), 1+r.IntN(20), time.Duration(r.Int64N(int64(2*Lease)))
					timer := time.AfterFunc(at, func() { l.lose(n, after) })
					context.AfterFunc(ctx, func() { timer.Stop() })
				}
				isFirst := true
				var mu sync.Mutex
				tr := simulate(t, seed, func() queue.Queue {
					mu.Lock()
					defer mu.Unlock()
					if isFirst {
						isFirst = false
						return observer{l.open()}
					}
					return l.open()
				})
				losses, repeated = losses+l.losses, repeated+min(tr.counts.repeated, 1)
			})
		})
	}
	t.Logf("%d runs with %d losses; in %d a bundle was claimed again", len(seeds), losses, repeated)
	if n := len(seeds); n > 10 && (losses < n/2 || repeated < n/4) {
		t.Error("too little happened")
	}
}
