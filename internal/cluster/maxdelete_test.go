package cluster_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/engine"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/vfs"
)

// TestHostsKeepALimitOfRemovals compares the destination with that of a run without a queue, below the limit and above.
func TestHostsKeepALimitOfRemovals(t *testing.T) {
	seeds := campaign.Seeds("CLUSTER_MAX_DELETE", 30, 1000)
	refused, allowed := 0, 0
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 9))
				src, dst := trees(r, 5+r.IntN(50))
				for line := range strings.Lines(src) {
					path, _, _ := strings.Cut(line, " ")
					if !strings.HasSuffix(path, "/") && !strings.Contains("\n"+dst, "\n"+path+" ") && r.IntN(10) == 0 {
						dst += path + "/x 644 x\n" // which is in the way
					}
				}
				limit := plan.Limit{N: int64(r.IntN(40)), Percent: r.IntN(3) == 0}
				if limit.Percent {
					limit.N *= 2
				}
				one, several := newTestbed(t, src, dst, seed), newTestbed(t, src, dst, seed)
				one.set = func(j *engine.Job) { j.Delete.Max = &limit }
				several.set = func(j *engine.Job) { one.set(j); j.Threads = 1 + several.drawn(3) }
				several.maxDelete = &limit
				j := one.job(one.slow(0))
				j.Threads = 1
				err := engine.Run(t.Context(), j)
				tooMany, isTooMany := errors.AsType[*job.LimitError](err)
				if err != nil && !isTooMany {
					t.Fatal(err)
				}
				one.closeAll()
				if isTooMany {
					refused++
					several.status = 25
				} else {
					allowed++
				}
				several.runAll(t, 1+r.IntN(3), several.slow(300*time.Millisecond))
				if fmt.Sprint(one.failures) != fmt.Sprint(several.failures) {
					t.Errorf("one has the failures %q, several have %q", one.failures, several.failures)
				}
				if got := several.tooMany; fmt.Sprint(got) != fmt.Sprint(err) {
					t.Errorf("%v, want %v", got, tooMany)
				}
				if want, got := tree(t, one.dst, sameTimes...), tree(t, several.dst, sameTimes...); got != want {
					t.Errorf("source:\n%s\ndestination:\n%s\none makes:\n%s\nseveral make:\n%s", tree(t, one.src, sameTimes...), dst, want, got)
				}
			})
		})
	}
	t.Logf("in %d runs too much was to be removed, in %d not", refused, allowed)
	if n := len(seeds); n > 10 && min(refused, allowed) < n/5 {
		t.Error("too little happened")
	}
}

// A lossySource is a queue that has SRC lose entries when these were counted.
type lossySource struct {
	queue.Queue
	lose func()
}

func (q *lossySource) Begin(ctx context.Context, r queue.Round) error {
	if r.Phase == queue.Remove {
		q.lose()
	}
	return q.Queue.Begin(ctx, r)
}

// TestNoMoreIsRemovedThanWasCounted has SRC lose entries before any are removed.
func TestNoMoreIsRemovedThanWasCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const entries = "d/a 644 x\nd/b 644 x\nd/c 644 x\n"
		b := newTestbed(t, entries, entries+"d/x 644 x\n", 1)
		b.maxDelete = &plan.Limit{N: 1}
		b.set = func(j *engine.Job) { j.Delete.Max = b.maxDelete }
		b.queue = &lossySource{b.queue, sync.OnceFunc(func() {
			root := b.src.Root()
			defer root.Close()
			d, err := root.OpenDir("d", vfs.NoFollow)
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			for _, name := range []string{"a", "b"} {
				if err := d.Remove(name, nil); err != nil {
					t.Fatal(err)
				}
			}
		})}
		b.runAll(t, 2, b.slow(0))
		b.closeAll()
		if n := strings.Count(tree(t, b.dst), "\nd/"); n != 3 {
			t.Errorf("%d entries are left, want 3:\n%s", n, tree(t, b.dst))
		}
		if len(b.failures) != 2 {
			t.Errorf("failures %q", b.failures)
		}
	})
}
