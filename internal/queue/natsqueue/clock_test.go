package natsqueue_test

import (
	"errors"
	"io"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
)

// TestClockOfTheServer has a server whose clock stands still, many years ago: it is in a bubble that waits for the socket of
// a host that is not. A lease that is shorter than any request does not lapse.
func TestClockOfTheServer(t *testing.T) {
	const lease = time.Nanosecond
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	var host sync.WaitGroup
	host.Go(func() {
		conn, err := nats.Connect("nats://" + listener.Addr().String())
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		q, err := natsqueue.Open(t.Context(), conn, natsqueue.Options{Job: "job", Create: true, Lease: lease})
		if err != nil {
			t.Error(err)
			return
		}
		clockStandsStill(t, q, lease)
	})
	defer host.Wait()
	far, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	inBubble(t, func(b *bench) {
		near, err := b.InProcessConn()
		b.ok(err)
		var answers sync.WaitGroup
		answers.Go(func() { _, _ = io.Copy(far, near) })
		_, _ = io.Copy(near, far)
		_ = near.Close()
		answers.Wait()
		_ = far.Close()
	})
}

func clockStandsStill(t *testing.T, q queue.Queue, lease time.Duration) {
	ctx, id, other, r := t.Context(), queue.NewID(), queue.NewID(), queue.Round{N: 1}
	err := errors.Join(
		q.Join(ctx, queue.Member{ID: id}), q.Join(ctx, queue.Member{ID: other}),
		q.Put(ctx, queue.Claim{}, queue.NewBundle(queue.Claim{}, r, []queue.Dir{{Path: "a"}})), q.Begin(ctx, r),
	)
	if err != nil {
		t.Error(err)
		return
	}
	if _, err := q.Claim(ctx, id, queue.NewID(), 1); err != nil {
		t.Error(err)
	}
	if _, err := q.Claim(ctx, other, queue.NewID(), 1); !errors.Is(err, queue.ErrEmpty) {
		t.Errorf("another claim: %v, want %v", err, queue.ErrEmpty)
	}
	if s, err := q.State(ctx); err != nil || s.Lapse != lease || s.Members[0].Age != 0 {
		t.Errorf("state %+v, %v", s, err)
	}
}
