package cluster_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/engine"
)

// randomTree returns a tree of some directories.
func randomTree(r *rand.Rand, dirs, generation int) map[string]string {
	entries := map[string]string{"./": fmt.Sprintf(" 755 @200%d-01-01T00:00:00Z", generation)}
	paths := []string{""}
	for i := range dirs {
		in := paths[len(paths)-1-r.IntN(min(len(paths), 6))]
		if strings.Count(in, "/") > 8 {
			in = ""
		}
		path := fmt.Sprintf("%sd%d/", in, i%7)
		if entries[path] == "" {
			paths = append(paths, path)
		}
		entries[path] = fmt.Sprintf(" %o @200%d-0%d-01T00:00:00Z", 0o700+r.IntN(0o100), generation, 1+r.IntN(9))
		for k := range r.IntN(4) {
			entries[fmt.Sprintf("%sf%d", path, k)] = fmt.Sprintf(" 644 @200%d-0%d-02T00:00:00Z \"%d \"*%d", generation, 1+r.IntN(3), generation, 1+r.IntN(2000))
		}
		if r.IntN(5) == 0 {
			entries[path+"link"] = fmt.Sprintf(" @200%d-01-01T00:00:00Z -> f%d", generation, r.IntN(9))
		}
	}
	return entries
}

func text(entries map[string]string) string {
	var b strings.Builder
	for _, path := range slices.Sorted(maps.Keys(entries)) {
		b.WriteString(path + entries[path] + "\n")
	}
	return b.String()
}

// trees returns a source, and a destination with some of it and more.
func trees(r *rand.Rand, dirs int) (src, dst string) {
	from, to := randomTree(r, dirs, 1), randomTree(r, dirs/2, 2)
	for _, path := range slices.Sorted(maps.Keys(from)) {
		if _, has := to[path]; has && r.IntN(2) == 0 {
			to[path] = from[path]
		}
	}
	if r.IntN(3) == 0 {
		to = nil
	}
	return text(from), text(to)
}

// TestHosts has one host, and several, make the destination what the source is.
func TestHosts(t *testing.T) {
	seeds := campaign.Seeds("CLUSTER", 20, 300)
	shared := 0
	for _, seed := range seeds {
		for hosts := 1; hosts <= 3; hosts++ {
			t.Run(fmt.Sprintf("seed=%d,hosts=%d", seed, hosts), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					r := rand.New(rand.NewPCG(seed, 1))
					src, dst := trees(r, 5+r.IntN(60))
					b := newTestbed(t, src, dst, seed)
					b.set = func(j *engine.Job) {
						j.Threads = 1 + b.drawn(3)
						j.DelayUpdates = seed%4 == 0
					}
					b.runAll(t, hosts, b.slow(300*time.Millisecond))
					b.wantComplete(t)
					if b.rounds != 2 {
						t.Errorf("%d rounds, want a copy and an audit", b.rounds)
					}
					if len(b.claims) > 1 {
						shared++
					}
				})
			})
		}
	}
	t.Logf("in %d of %d runs, several hosts have claimed directories", shared, 2*len(seeds))
	if len(seeds) > 4 && shared < len(seeds) {
		t.Error("too few runs have shared anything")
	}
}

// runAll runs hosts and a keeper until the job ends.
func (b *testbed) runAll(t *testing.T, hosts int, before func(op, name string) error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
	defer cancel()
	var running sync.WaitGroup
	for i := range hosts {
		running.Go(func() {
			if err := b.host(ctx, fmt.Sprint("host", i), b.queue, nil, before); err != nil {
				t.Errorf("host %d: %v", i, err)
			}
		})
	}
	status, err := b.keep(ctx, b.queue)
	running.Wait()
	want := b.status
	if want == 0 && len(b.failures) > 0 {
		want = 23
	}
	if status != want || err != nil {
		t.Errorf("keeper: %d, %v; failures: %q", status, err, b.failures)
	}
}

// TestHostsStayBusy measures, in virtual time, how long four hosts with eight workers each take for directories that take ten
// milliseconds each, and counts what goes through the queue.
func TestHostsStayBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n, hosts, workers = 6000, 4, 8
		r := rand.New(rand.NewPCG(1, 7))
		entries, paths := make(map[string]string), []string{""}
		for i := range n {
			path := fmt.Sprintf("%sd%d/", paths[r.IntN(len(paths))], i)
			entries[path] = " 755 @2001-01-01T00:00:00Z"
			if len(path) < 40 {
				paths = append(paths, path)
			}
		}
		b := newTestbed(t, text(entries), "", 1)
		b.set = func(j *engine.Job) { j.Threads = workers }
		start := time.Now()
		b.runAll(t, hosts, func(op, _ string) error {
			if op == "readdir" {
				time.Sleep(10 * time.Millisecond)
			}
			return nil
		})
		took, ideal, claims := time.Since(start), n*10*time.Millisecond/(hosts*workers), 0
		for _, n := range b.claims {
			claims += n
		}
		t.Logf("%v, at best %v, with %d claims", took, ideal, claims)
		if took > ideal*3/2 || claims > n/50 {
			t.Errorf("they take %v, at best %v, with %d claims", took, ideal, claims)
		}
	})
}
