package cluster_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/engine"
	"psync/internal/queue"
	"psync/internal/queue/protocol"
)

// TestForgedBundles has a member put directories that no host has found: through links of the source and of the destination,
// in a source that does not exist, and what is not a directory.
func TestForgedBundles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const at = " @2001-01-01T00:00:00Z"
		b := newTestbed(t, "./ 755"+at+"\nreal/ 755"+at+"\nreal/d/ 755"+at+"\nreal/d/f 644"+at+" x\nl"+at+" -> real\nfile 644"+at+" x\nm/ 755"+at+"\nm/d/ 755"+at+"\nm/d/f 644"+at+" x\n",
			"l -> elsewhere\nm -> elsewhere\nelsewhere/d/ 755"+at+"\nelsewhere/d/precious 644"+at+" x\n", 1)
		b.set = func(j *engine.Job) { j.Delete.On = false }
		done := make(chan error)
		go func() {
			_, err := b.keep(t.Context(), b.queue) // what was forged may count as failed
			done <- err
		}()
		synctest.Wait()
		id := queue.NewID()
		if err := b.queue.Join(t.Context(), queue.Member{ID: id}); err != nil {
			t.Fatal(err)
		}
		c, err := b.queue.Claim(t.Context(), id, queue.NewID(), 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []queue.Dir{{Path: "l/d"}, {Path: "m/d"}, {Root: 9, Path: "d"}, {Path: "file"}, {Path: "none/at/all"}} {
			if err := b.queue.Put(t.Context(), c, queue.NewBundle(c, c.Bundle.Round, []queue.Dir{d})); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(2 * protocol.Lease)
		if err := b.host(t.Context(), "host", b.queue, nil, b.slow(0)); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		got := lines(tree(t, b.dst))
		for _, line := range []string{"l -> real", "m/ 755", "real/d/f 644 x", "elsewhere/d/precious 644 x"} {
			if !slices.Contains(got, line) {
				t.Errorf("the destination has\n%q, and lacks %s", got, line)
			}
		}
		if slices.Contains(got, "elsewhere/d/f 644 x") {
			t.Errorf("a link was followed; the destination has\n%q", got)
		}
		for _, path := range []string{"l/d", "file", "none/at/all"} {
			if !slices.ContainsFunc(b.failures, func(f string) bool { return strings.Contains(f, path) }) {
				t.Errorf("%s does not fail: %q", path, b.failures)
			}
		}
	})
}

func lines(text string) []string {
	return slices.Sorted(slices.Values(strings.Split(text, "\n")))
}
