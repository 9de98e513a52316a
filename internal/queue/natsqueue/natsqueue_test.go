package natsqueue_test

import (
	"context"
	"errors"
	"net"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
	"psync/internal/queue/queuetest"
)

const lease = time.Minute

// A bench is a server that no other process can reach. It runs in a bubble, the clock of which is its own.
type bench struct {
	*testing.T
	dir    string
	server atomic.Pointer[server.Server] // clients that have lost the one before connect meanwhile
}

// inBubble has a test use a server.
func inBubble(t *testing.T, test func(*bench)) {
	t.Helper()
	dir := t.TempDir()
	// The client keeps timers in a pool, but those of one bubble cannot be used in the next. Two collections empty it.
	runtime.GC()
	runtime.GC()
	synctest.Test(t, func(t *testing.T) {
		b := &bench{T: t, dir: dir}
		b.start()
		defer b.stop()
		test(b)
	})
}

func (b *bench) start() {
	b.Helper()
	s, err := server.NewServer(&server.Options{
		DontListen: true, NoSigs: true, NoLog: true, JetStream: true, StoreDir: b.dir, JetStreamMaxStore: 1 << 30,
	})
	if err != nil {
		b.Fatal(err)
	}
	if s.Start(); !s.ReadyForConnections(time.Minute) {
		b.Fatal("the server does not start")
	}
	b.server.Store(s)
}

func (b *bench) stop() {
	b.server.Load().Shutdown()
	b.server.Load().WaitForShutdown()
}

// InProcessConn connects to the present server.
func (b *bench) InProcessConn() (net.Conn, error) { return b.server.Load().InProcessConn() }

func (b *bench) connect() *nats.Conn {
	b.Helper()
	conn, err := nats.Connect("", nats.InProcessServer(b), nats.MaxReconnects(-1))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(conn.Close)
	return conn
}

// open opens the job by a connection of its own, as each process does.
func (b *bench) open() *natsqueue.Queue {
	b.Helper()
	q, err := natsqueue.Open(b.Context(), b.connect(), natsqueue.Options{
		Job: "job", Create: true, Lease: lease, Refused: func(err error) {
			if !errors.Is(err, natsqueue.ErrPast) { // which those have who find that the server has lost something
				b.Error(err)
			}
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	return q
}

func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// begin begins a round with bundles of a directory each.
func (b *bench) begin(q queue.Queue, r queue.Round, paths ...string) {
	b.Helper()
	for _, path := range paths {
		b.ok(q.Put(b.Context(), queue.Claim{}, queue.NewBundle(queue.Claim{}, r, []queue.Dir{{Path: path}})))
	}
	b.ok(q.Begin(b.Context(), r))
}

// join returns a new member.
func (b *bench) join(q queue.Queue) queue.ID {
	b.Helper()
	id := queue.NewID()
	b.ok(again(b.Context(), func(ctx context.Context) error { return q.Join(ctx, queue.Member{ID: id}) }))
	return id
}

func TestQueue(t *testing.T) {
	for name, test := range queuetest.Tests() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				test(b.T, queuetest.Bench{Queue: b.open(), Lease: lease, Advance: time.Sleep})
			})
		})
	}
}

// TestReplicas has what the suite asks for asked of two processes in turns.
func TestReplicas(t *testing.T) {
	for name, test := range queuetest.Tests() {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(b *bench) {
				first, second := b.open(), b.open()
				test(b.T, queuetest.Bench{Queue: split{first, second}, Lease: lease, Advance: time.Sleep})
			})
		})
	}
}

// split is a queue whose questions are answered by another replica than the one that carries out changes.
type split struct {
	queue.Queue
	asked queue.Queue
}

func (s split) State(ctx context.Context) (queue.State, error) { return s.asked.State(ctx) }

func (s split) Records(ctx context.Context, after uint64) ([]queue.Record, error) {
	return s.asked.Records(ctx, after)
}

// TestStaleHolder has another process take a bundle over.
func TestStaleHolder(t *testing.T) {
	inBubble(t, func(b *bench) {
		ctx, first, second := b.Context(), b.open(), b.open()
		stale, member := b.join(first), b.join(second)
		b.begin(first, queue.Round{N: 1}, "a")
		c, err := first.Claim(ctx, stale, queue.NewID(), 1)
		b.ok(err)
		time.Sleep(lease)
		taken, err := second.Claim(ctx, member, queue.NewID(), 1)
		b.ok(err)
		wantTaken(b, first, c)
		b.stop()
		b.start()
		wantTaken(b, first, c)
		late := b.open()
		wantTaken(b, late, c)
		b.ok(late.Renew(ctx, taken))
		b.ok(second.Finish(ctx, taken))
	})
}

// wantTaken wants a claim to have ended.
func wantTaken(b *bench, q queue.Queue, c queue.Claim) {
	b.Helper()
	ctx, part := b.Context(), queue.NewBundle(c, c.Bundle.Round, []queue.Dir{{Path: "a/b"}})
	for what, err := range map[string]error{
		"renewal": q.Renew(ctx, c), "put": q.Put(ctx, c, part), "give back": q.GiveBack(ctx, c), "finish": q.Finish(ctx, c),
	} {
		if !errors.Is(err, queue.ErrTaken) {
			b.Errorf("%s: %v, want %v", what, err, queue.ErrTaken)
		}
	}
	if s, err := q.State(ctx); err != nil || s.Held != 1 || s.Waiting != 0 {
		b.Errorf("state %+v, %v", s, err)
	}
}

// TestServerBeginsAgain restarts the server in the middle of a job.
func TestServerBeginsAgain(t *testing.T) {
	inBubble(t, func(b *bench) {
		ctx, q := b.Context(), b.open()
		member := b.join(q)
		b.begin(q, queue.Round{N: 1}, "a", "b")
		c, err := q.Claim(ctx, member, queue.NewID(), 1)
		b.ok(err)
		r := queue.Record{ID: queue.NewID(), Round: 1, Data: []byte("x")}
		b.ok(q.Append(ctx, r))
		changes, err := q.Watch(ctx, queue.Work)
		b.ok(err)
		added, err := q.Watch(ctx, queue.Added)
		b.ok(err)
		<-changes
		<-added
		b.stop()
		canceled, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		if err := q.Renew(canceled, c); err == nil {
			b.Error("a lease is renewed without a server")
		}
		b.start()
		b.ok(q.Renew(ctx, c))
		b.ok(q.Append(ctx, r))
		b.ok(q.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1, Data: []byte("y")}))
		<-added
		b.ok(q.Put(ctx, c, queue.NewBundle(c, c.Bundle.Round, []queue.Dir{{Path: "a/b"}})))
		<-changes
		b.ok(q.Finish(ctx, c))
		for _, q := range []queue.Queue{q, b.open()} {
			// They may be held by a host whose claim was lost, as far as anyone knows.
			s, err := q.State(ctx)
			if err != nil || s.Waiting != 0 || s.Held != 2 || s.Lapse > lease || len(s.Members) != 1 {
				b.Errorf("state %+v, %v", s, err)
			}
			if records, err := q.Records(ctx, 0); err != nil || len(records) != 2 || records[1].Offset != s.Records {
				b.Errorf("records %+v, %v", records, err)
			}
		}
		if _, err := q.Claim(ctx, member, queue.NewID(), 1); !errors.Is(err, queue.ErrEmpty) {
			b.Errorf("a claim: %v, want %v", err, queue.ErrEmpty)
		}
		time.Sleep(lease)
		_, err = q.Claim(ctx, member, queue.NewID(), 1)
		b.ok(err)
	})
}

// TestRecordsAfterTheirRound has a record arrive when its round is over, as that of a host that was stopped does.
func TestRecordsAfterTheirRound(t *testing.T) {
	inBubble(t, func(b *bench) {
		ctx, keeper, host := b.Context(), b.open(), b.open()
		b.begin(keeper, queue.Round{N: 1})
		first := queue.Record{ID: queue.NewID(), Round: 1}
		b.ok(host.Append(ctx, first))
		b.begin(keeper, queue.Round{N: 2})
		if err := host.Append(ctx, queue.Record{ID: queue.NewID(), Round: 1}); !errors.Is(err, queue.ErrRound) {
			b.Errorf("a late record: %v", err)
		}
		b.ok(host.Append(ctx, first)) // it was there before
		records, err := keeper.Records(ctx, 0)
		if err != nil || len(records) != 1 || records[0].ID != first.ID {
			b.Errorf("records %+v, %v", records, err)
		}
		if more, err := keeper.Records(ctx, records[0].Offset); err != nil || len(more) > 0 {
			b.Errorf("records %+v, %v", more, err)
		}
		if s, err := keeper.State(ctx); err != nil || s.Records != records[0].Offset {
			b.Errorf("state %+v, %v: the keeper would read for ever", s, err)
		}
	})
}
