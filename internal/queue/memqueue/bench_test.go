package memqueue_test

import (
	"fmt"
	"testing"
	"time"

	"psync/internal/queue"
	"psync/internal/queue/memqueue"
)

// BenchmarkClaim claims bundles of a job that has many, as each host does for each claim of all hosts.
func BenchmarkClaim(b *testing.B) {
	const bundles = 1000
	for b.Loop() {
		q, ctx, id := memqueue.New(lease, time.Now), b.Context(), queue.NewID()
		_ = q.Join(ctx, queue.Member{ID: id})
		for i := range bundles {
			dirs := make([]queue.Dir, queue.MaxDirs)
			for n := range dirs {
				dirs[n].Path = fmt.Sprintf("home/user/some/project/%d/%d", i, n)
			}
			_ = q.Put(ctx, queue.Claim{}, queue.NewBundle(queue.Claim{}, queue.Round{N: 1}, dirs))
		}
		_ = q.Begin(ctx, queue.Round{N: 1})
		for range bundles {
			if _, err := q.Claim(ctx, id, queue.NewID(), 1); err != nil {
				b.Fatal(err)
			}
		}
	}
}
