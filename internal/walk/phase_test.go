package walk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"psync/internal/campaign"
)

// TestPhases claims and acknowledges tasks step by step. A step "x>y@2,z" claims x and puts y for phase 2 and z for the
// phase of x; "x." acknowledges x.
func TestPhases(t *testing.T) {
	for _, tc := range []struct{ name, roots, steps string }{
		{"in their order", "a", "a>last@9,mid@5 a. mid mid. last last."},
		{"one put from the outside", "a,z@3", "a a. z z."},
		{"no roots", "z@3", "z z."},
		{"newest first within a phase", "a", "a>b@1,c@1 a. c b"},
		{"children have the phase of their parents", "a", "a>b@1,z@2 a. b>c b. c c. z z."},
		{"a phase between others", "a", "a>b@1,z@3 a. b>y@2 b. y y. z z."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newStack[string]()
			put := func(tasks string, now func(...string)) {
				for task := range strings.SplitSeq(tasks, ",") {
					var n int
					name, at, isLater := strings.Cut(task, "@")
					if !isLater {
						now(name)
						continue
					}
					if _, err := fmt.Sscan(at, &n); err != nil {
						t.Fatal(err)
					}
					s.putLater(n, name)
				}
			}
			put(tc.roots, s.put)
			claims := make(map[string]*Claim[string])
			for step := range strings.FieldsSeq(tc.steps) {
				if name, ends := strings.CutSuffix(step, "."); ends {
					claims[name].Ack()
					continue
				}
				name, children, puts := strings.Cut(step, ">")
				c, _, err := s.claim()
				if err != nil || c.Task() != name {
					t.Fatalf("step %s: claimed %v, %v", step, c, err)
				}
				claims[name] = c
				if puts {
					put(children, c.Put)
				}
			}
		})
	}
}

// A phased is a task of TestRandomPhases.
type phased struct{ phase, depth int }

// TestRandomPhases has workers put tasks of random phases, which are delivered in any order, again, or not at all, in runs
// that may be interrupted. No task may begin before all tasks of earlier phases are acknowledged, and every task is
// delivered as often as it should be.
func TestRandomPhases(t *testing.T) {
	for _, seed := range campaign.Seeds("PHASES", 100, 1000) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			var mu sync.Mutex // guards what follows
			var open [10]int
			done, want, interrupt := 0, 0, r.IntN(40)
			always := r.IntN(2) == 0
			ctx, stop := context.WithCancelCause(t.Context())
			defer stop(nil)
			p := NewPool(NewSize(1+r.IntN(5), 8), func() int { return 0 }, func(_ context.Context, _ int, c *Claim[phased]) {
				x := c.Task()
				var children []phased
				mu.Lock() // which is not held when methods of c are called, since they may wait for a delivery
				for earlier := range x.phase {
					if open[earlier] > 0 || x.phase != c.Phase() {
						t.Errorf("a task of phase %d begins in %d when %d of phase %d are open", x.phase, c.Phase(), open[earlier], earlier)
					}
				}
				for range min(x.depth, 1) * r.IntN(4) {
					child := phased{x.phase + r.IntN(len(open)-x.phase), x.depth - 1}
					children = append(children, child)
					open[child.phase]++
					want++
				}
				if done++; done == interrupt {
					stop(errors.New("interrupted by the test"))
				}
				mu.Unlock()
				for _, child := range children {
					if child.phase == x.phase {
						c.Put(child)
					} else {
						c.PutLater(child.phase, child)
					}
				}
				mu.Lock()
				open[x.phase]--
				mu.Unlock()
				c.Ack()
			})
			p.Always = always
			if reorders := r.IntN(2) == 0; reorders {
				p.DeliverBy(func(waiting int, task func(int) phased) Delivery {
					mu.Lock()
					defer mu.Unlock()
					d := Delivery{Index: r.IntN(waiting), Lost: r.IntN(10) == 0, Again: r.IntN(10) == 0}
					if d.Lost {
						want--
						open[task(d.Index).phase]--
					}
					if d.Again {
						want++
						open[task(d.Index).phase]++
					}
					return d
				})
			}
			for range 1 + r.IntN(4) {
				open[0]++
				want++
				p.Put(phased{0, 4})
			}
			open[7]++
			want++
			p.PutLater(7, phased{7, 1})
			p.Run(ctx)
			switch {
			case (ctx.Err() == nil || always) && (done != want || slices.Max(open[:]) > 0):
				t.Errorf("%d of %d tasks were processed; open are %v", done, want, open)
			case done > want:
				t.Errorf("%d tasks were processed, and there were %d", done, want)
			}
		})
	}
}
