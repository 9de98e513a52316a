package engine

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"testing"

	"psync/internal/campaign"
	"psync/internal/engine/alias"
	"psync/internal/report"
	"psync/internal/walk"
)

// TestUnreliableQueue loses tasks, delivers them again, and delivers them in any order. What the journal calls
// complete is equal, tasks delivered again do no harm by themselves, and the run that continues completes the rest.
func TestUnreliableQueue(t *testing.T) {
	var lost, repeated, failed int
	seeds := campaign.Seeds("DELIVERIES", 40, 600)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 8))
			src := randomEntries(r, 0.7, 1)
			b := newSync(t, src.text(), randomEntries(r, 0.4, 2).merge(r, src).text())
			b.job.Threads = 1 + r.IntN(3)
			b.job.Policy.Specials = true
			b.job.HardLinks = r.IntN(2) == 0
			b.job.Delete.On = true
			b.job.DelayUpdates = r.IntN(6) == 0
			loses, loss, again := r.IntN(2) == 0, false, false
			b.job.Deliver = func(waiting int) walk.Delivery {
				d := walk.Delivery{Index: r.IntN(waiting), Again: r.IntN(3) == 0}
				d.Lost = loses && !d.Again && r.IntN(8) == 0
				loss, again = loss || d.Lost, again || d.Again
				return d
			}
			j := newJournaled(t, b)
			a, err := j.run(t.Context(), t)
			if err != nil {
				t.Fatal(err)
			}
			failures := b.job.Stats.Totals()[report.Failed]
			switch {
			case loss:
				lost++
			case failures > 0:
				failed++
				if b.job.Threads == 1 {
					b.wantOnlyClashes(t)
				}
			case !a.Complete():
				t.Errorf("nothing was lost, nothing failed, and the audit is %+v", a)
			}
			if again {
				repeated++
			}
			if a.Complete() {
				b.wantSame(t)
			}
			b.job.Deliver = nil
			a, err = j.run(t.Context(), t)
			if err != nil || !a.Complete() {
				t.Fatalf("Run = %v; audit %+v", err, a)
			}
			b.wantSame(t)
		})
	}
	t.Logf("of %d runs, %d lost tasks, %d had some twice, %d failed because of that", len(seeds), lost, repeated, failed)
	if lost < len(seeds)/10 || repeated < len(seeds)/4 {
		t.Errorf("only %d runs lost tasks, and %d had some twice", lost, repeated)
	}
}

// wantOnlyClashes fails the test unless all failures say that an entry already exists: a parent that was delivered
// twice announced its directory as new, or the file of an earlier delivery was delayed.
func (b *testbed) wantOnlyClashes(t *testing.T) {
	t.Helper()
	for _, e := range b.record.events {
		switch {
		case e.Kind != report.Fail, errors.Is(e.Err, alias.ErrCollision), errors.Is(e.Err, fs.ErrExist):
		default:
			t.Errorf("%s: %v", e.Path(), e.Err)
		}
	}
}
