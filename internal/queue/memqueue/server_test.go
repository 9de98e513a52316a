package memqueue_test

import (
	"errors"
	"testing"
	"time"

	"psync/internal/queue"
	"psync/internal/queue/memqueue"
)

// TestServerBeginsAgain has a server begin anew just before leases would lapse. The renewals that it may have lost count.
func TestServerBeginsAgain(t *testing.T) {
	now, ctx, member := time.Unix(1e9, 0), t.Context(), queue.NewID()
	q := memqueue.New(lease, func() time.Time { return now })
	q.Serve("first")
	r := queue.Round{N: 1}
	err := q.Join(ctx, queue.Member{ID: member})
	for _, path := range []string{"held", "waits"} {
		err = errors.Join(err, q.Put(ctx, queue.Claim{}, queue.NewBundle(queue.Claim{}, r, []queue.Dir{{Path: path}})))
	}
	if err = errors.Join(err, q.Begin(ctx, r)); err != nil {
		t.Fatal(err)
	}
	before, err := q.Claim(ctx, member, queue.NewID(), 1)
	if err != nil || !q.ServedBy("first", before) || before.Restarted {
		t.Fatalf("%+v, %v", before, err)
	}
	now = now.Add(lease - 1)
	for range 2 { // the second time it is known
		q.Serve("second")
		now = now.Add(lease / 4)
	}
	s, err := q.State(ctx)
	if err != nil || s.Claimable() || s.Drained() || s.Held != 2 || s.Lapse != lease/2 || s.Members[0].Age != lease/2 {
		t.Errorf("state %+v, %v", s, err)
	}
	now = now.Add(lease/2 - 1)
	if _, err := q.Claim(ctx, member, queue.NewID(), 1); !errors.Is(err, queue.ErrEmpty) {
		t.Errorf("a claim: %v", err)
	}
	if err := q.Renew(ctx, before); err != nil || q.ServedBy("second", before) {
		t.Errorf("an earlier claim: %v, or it counts", err)
	}
	now = now.Add(1)
	after, err := q.Claim(ctx, member, queue.NewID(), 1)
	if err != nil || after.Bundle.Dirs[0].Path != "waits" || !after.Restarted || !q.ServedBy("second", after) || q.ServedBy("third", after) {
		t.Errorf("%+v, %v", after, err)
	}
}
