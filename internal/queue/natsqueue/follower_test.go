package natsqueue_test

import (
	"context"
	"testing"

	"psync/internal/queue"
	"psync/internal/queue/natsqueue"
)

// TestFollowsAnew has a client of the server follow the stream no more, without an error.
func TestFollowsAnew(t *testing.T) {
	inBubble(t, func(b *bench) {
		ctx, q, other := b.Context(), b.open(), b.open()
		id := b.join(q)
		for range 3 {
			natsqueue.StopFollowing(q)
			b.join(other)
			b.ok(again(ctx, func(ctx context.Context) error { return q.Report(ctx, id, queue.Status{Seq: 1}) }))
			natsqueue.StopFollowing(q)
			b.join(other)
			b.ok(again(ctx, func(ctx context.Context) error {
				_, err := q.State(ctx)
				return err
			}))
		}
		s, err := q.State(ctx)
		b.ok(err)
		if want := 7; len(s.Members) != want {
			t.Errorf("%d members, want %d", len(s.Members), want)
		}
	})
}
