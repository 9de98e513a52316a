package cluster_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/campaign"
	"psync/internal/engine"
	"psync/internal/queue"
	"psync/internal/vfs/fstest"
)

// withLinks makes some files of a tree further names of others. Many look alike, and have one of the given contents.
func withLinks(r *rand.Rand, tree, contents string) string {
	entries := make(map[string]string)
	for line := range strings.Lines(tree) {
		path, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		entries[path] = " " + rest
	}
	var firsts []string
	every := 3 + r.IntN(2)*12
	for _, path := range slices.Sorted(maps.Keys(entries)) {
		switch {
		case strings.HasSuffix(path, "/"):
		case len(firsts) > 0 && r.IntN(every) == 0:
			entries[path] = fmt.Sprintf(" (= %s)", firsts[r.IntN(len(firsts))])
		case r.IntN(2) == 0:
			entries[path] = fmt.Sprintf(" 644 @2001-01-02T00:00:00Z %c", contents[r.IntN(len(contents))])
			fallthrough
		default:
			firsts = append(firsts, path)
		}
	}
	return text(entries)
}

// TestHostsLinkWhatOneDoes compares the destination with that of a run without a queue, when files have several names on both sides,
// those in SRC in directories of several hosts.
func TestHostsLinkWhatOneDoes(t *testing.T) {
	seeds := campaign.Seeds("CLUSTER_LINKS", 30, 1000)
	linked, parts := 0, 0
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 8))
				src, dst := trees(r, 5+r.IntN(50))
				copies, contents := seed%4 == 0, "x"
				if copies { // whatever is there; a sync may keep any that look current
					contents = "xxxy"
				}
				src = withLinks(r, src, contents)
				if r.IntN(2) == 0 {
					dst = withLinks(r, dst, contents)
				}
				one, several := newTestbed(t, src, dst, seed), newTestbed(t, src, dst, seed)
				set := func(j *engine.Job) {
					j.HardLinks = true
					if copies {
						j.Policy.Sync, j.Delete.On = false, false
					}
				}
				one.set = set
				several.set = func(j *engine.Job) { set(j); j.Threads = 1 + several.drawn(3) }
				j := one.job(one.slow(0))
				j.Threads = 1
				if err := engine.Run(t.Context(), j); err != nil {
					t.Fatal(err)
				}
				one.closeAll()
				several.runAll(t, 1+r.IntN(3), several.slow(300*time.Millisecond))
				if fmt.Sprint(one.failures) != fmt.Sprint(several.failures) {
					t.Errorf("one has the failures %q, several have %q", one.failures, several.failures)
				}
				if want, got := tree(t, one.dst, sameTimes...), tree(t, several.dst, sameTimes...); got != want {
					t.Errorf("source:\n%s\ndestination:\n%s\none makes:\n%s\nseveral make:\n%s", tree(t, one.src, sameTimes...), dst, want, got)
				}
				if s, err := several.queue.State(t.Context()); err != nil || s.Round.Phase == queue.Audit && s.Round.N > 5 {
					t.Errorf("state %+v, %v, want no more than a copy, links, attributes and two audits", s, err)
				} else if s.Round.N > 2 {
					linked++
				}
				several.wantProof(t)
				if len(several.claims) > 1 {
					parts++
				}
			})
		})
	}
	t.Logf("in %d of %d runs names were linked, in %d several hosts claimed directories", linked, len(seeds), parts)
	if len(seeds) > 10 && (linked < len(seeds)/2 || parts < len(seeds)/4) {
		t.Error("too little happened")
	}
}

const copiesAll = "what looks current is copied"

// TestOneCopyStaysForOneEntry has names of one file in DST that look current for several files of SRC, in directories that
// different hosts copy.
func TestOneCopyStaysForOneEntry(t *testing.T) {
	for _, tt := range []struct{ name, src, dst string }{
		{"files with one name", "a/f 644 @TIME x\nb/f 644 @TIME x\nc/f 644 @TIME x\nd/f 644 @TIME x\n", "a/f 644 @TIME x\nb/f (= a/f)\nc/f (= a/f)\nd/f (= a/f)\n"},
		{"one with several", "a/f 644 @TIME x\nb/f 644 @TIME x\nb/g (= b/f)\n", "a/f 644 @TIME x\nb/f (= a/f)\n"},
		{"several with several", links(8, "(= aN/f)"), links(8, "(= a0/f)")},
		{"several with several, which DST lacks", links(8, "(= aN/f)"), ""},
		{copiesAll, "a/f 644 @TIME x\nb/f (= a/f)\n", "a/f 644 @TIME y\n"},
	} {
		for seed := range uint64(10) {
			t.Run(fmt.Sprintf("%s/%d", tt.name, seed), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					replace := strings.NewReplacer("TIME", "2001-01-02T00:00:00Z")
					b := newTestbed(t, replace.Replace(tt.src), replace.Replace(tt.dst), seed)
					b.set = func(j *engine.Job) {
						j.HardLinks, j.Threads, j.Policy.Sync, j.Delete.On = true, 1, tt.name != copiesAll, false
					}
					b.runAll(t, 3, b.slow(time.Minute))
					b.closeAll()
					if want, got := tree(t, b.src, fstest.WithLinks), tree(t, b.dst, fstest.WithLinks); got != want {
						t.Errorf("source:\n%s\ndestination:\n%s", want, got)
					}
				})
			})
		}
	}
}

// links returns a tree of files that look alike, each with a second name that link says.
func links(n int, link string) string {
	var b strings.Builder
	for i := range n {
		first := "644 @TIME x"
		if i > 0 && !strings.Contains(link, "aN") {
			first = link
		}
		fmt.Fprintf(&b, "a%d/f %s\nb%d/f %s\n", i, first, i, strings.ReplaceAll(link, "aN", fmt.Sprint("a", i)))
	}
	return b.String()
}

// A partLoser is a queue that loses one of the parts into which links are divided.
type partLoser struct {
	queue.Queue
	lost bool
}

func (q *partLoser) Put(ctx context.Context, c queue.Claim, bundles ...queue.Bundle) error {
	if p := bundles[0].Part; bundles[0].Round.Phase == queue.Link && p.N == p.Of/2 && !q.lost {
		q.lost = true
		return nil
	}
	return q.Queue.Put(ctx, c, bundles...)
}

// TestLostPartIsFound has the queue lose entries that are to be linked.
func TestLostPartIsFound(t *testing.T) {
	for _, dst := range []string{"", "a0/f 644 x\nb0/f (= a0/f)\n"} {
		synctest.Test(t, func(t *testing.T) {
			b := newTestbed(t, strings.ReplaceAll(links(16, "(= aN/f)"), "TIME", "2001-01-02T00:00:00Z"), dst, 1)
			b.set = func(j *engine.Job) { j.HardLinks = true }
			b.queue = &partLoser{Queue: b.queue}
			b.runAll(t, 2, b.slow(time.Second))
			b.wantComplete(t)
			if want := 7; b.rounds != want {
				t.Errorf("%d rounds, want %d: a copy and an audit, links twice, attributes once, and audits", b.rounds, want)
			}
		})
	}
}
