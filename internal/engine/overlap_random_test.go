package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"psync/internal/campaign"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/asyncfs"
	"psync/internal/vfs/faultfs"
)

// TestOverlappingRuns runs two runs over one pair of trees, in many ways. OVERLAPS is their number, and OVERLAPS_SEED
// is the first seed, or "random".
func TestOverlappingRuns(t *testing.T) {
	for _, seed := range campaign.Seeds("OVERLAPS", 40, 2000) {
		if t.Failed() {
			return
		}
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { overlaps(t, seed) })
	}
}

func FuzzOverlappingRuns(f *testing.F) {
	for seed := range uint64(4) {
		f.Add(seed)
	}
	f.Fuzz(overlaps)
}

// A fate is what happens to the first of two runs at one of its operations.
type fate struct {
	at         int  // which operation, from 1
	stops      bool // the run pauses until the second one has ended
	changes    bool // the source changes before the operation
	interrupts bool // the run is interrupted
	fails      bool // the operation fails
}

func randomFate(r *rand.Rand) fate {
	f := fate{at: 1 + r.IntN(120), stops: r.IntN(3) > 0}
	f.changes = f.stops && r.IntN(2) == 0
	switch r.IntN(3) {
	case 0:
		f.interrupts = true
	case 1:
		f.fails = true
	}
	return f
}

// overlaps alternates the operations of two runs. When both have ended, nothing that either reported as copied may be
// lost or partial, and one more run makes the trees equal.
func overlaps(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 7))
	src := randomEntries(r, 0.7, 1)
	b := newSync(t, src.text(), randomEntries(r, 0.4, 2).merge(r, src).text())
	b.job.Threads = 1
	b.job.Policy.Specials = true
	b.job.HardLinks = r.IntN(2) == 0
	b.job.Delete.On = r.IntN(3) > 0
	b.job.Policy.Update = r.IntN(8) == 0
	if r.IntN(6) == 0 {
		b.job.Delete.Max = &plan.Limit{N: 1000}
	}
	late := func(d vfs.Dir) vfs.Dir { return d }
	switch r.IntN(4) {
	case 0:
		b.job.Dest = onVolume(b.job.Dest, vfs.Volume{Network: true})
	case 1:
		late = asyncfs.New
	}
	open, whole := b.dst.Open(), b.job.Dest
	versions := src.versions()

	order := newTurns(r)
	var live sync.Map // processes
	second := b.another()
	for i, p := range []*testbed{b, second} {
		live.Store(p.job.Process().PID, true)
		changeProcess(&p.job, func(p *tempname.Process) {
			p.Run, p.Alive = uint32(i)+10, func(pid int, _ uint64) bool { _, ok := live.Load(pid); return ok }
		})
		p.job.Sources = slices.Clone(p.job.Sources)
	}
	end := randomFate(r)
	ctx, interrupt := context.WithCancelCause(t.Context())
	plain := b.job.Sources[0].Dir
	var seen atomic.Int64 // several goroutines end directories of a host
	meet := func(op, name string) error {
		order.wait(0, op)
		if removes(op) { // the time since the source was checked for the name is one race that remains
			return nil
		}
		if seen.Add(1) != int64(end.at) {
			return nil
		}
		if end.stops {
			order.stop(func() {
				if end.changes {
					changeSource(t, r, plain, src, versions)
				}
			})
		}
		if end.interrupts {
			interrupt(errors.New("interrupted"))
		}
		if end.fails {
			return syscall.EIO
		}
		return nil
	}
	b.job.Dest = late(faultfs.New(whole, meet))
	b.job.Sources[0].Dir = faultfs.New(plain, meet)
	follow := func(op, _ string) error { order.wait(1, op); return nil }
	second.job.Dest = late(faultfs.New(whole, follow))
	second.job.Sources[0].Dir = faultfs.New(plain, follow)

	var both sync.WaitGroup
	for i, p := range []*testbed{b, second} {
		ctx := ctx
		if i == 1 {
			ctx = t.Context()
		}
		both.Go(func() {
			_ = p.run(ctx)
			live.Delete(p.job.Process().PID)
			order.end(i)
		})
	}
	both.Wait()

	for _, p := range []*testbed{b, second} {
		wantReported(t, p.record, plain, whole, versions)
	}
	if now := b.dst.Open(); now != open {
		t.Errorf("%d handles stay open", now-open)
	}
	last := b.another()
	last.job.Dest, last.job.Sources[0].Dir = whole, plain
	changeProcess(&last.job, func(p *tempname.Process) { p.Run, p.Alive = 12, func(int, uint64) bool { return false } })
	last.job.Delete, last.job.Policy.Update = plan.Delete{On: true, EmptySource: true}, false
	last.mustRun(t)
	last.wantEqual(t)
	if t.Failed() {
		t.Logf("seed %d: %+v; first: %q, second: %q", seed, end, b.record.all(), second.record.all())
	}
}

// wantReported checks that the destination has what a run reported as copied, unless the source no longer has it.
func wantReported(t *testing.T, r *record, src, dst vfs.Dir, versions map[string][]string) {
	t.Helper()
	has, want := stateOf(t, dst), stateOf(t, src)
	for _, e := range r.events {
		path := e.Path()
		if e.Kind != report.Copy && e.Kind != report.Replace && e.Kind != report.Symlink && e.Kind != report.Link {
			continue
		}
		now, there := want[path]
		got, ok := has[path]
		switch {
		case !there:
		case !ok:
			t.Errorf("%s was reported, and is lost", path)
		case got.text != now.text && got.mtime.Equal(now.mtime):
			t.Errorf("%s is %.40q, but looks as if it were current", path, got.text)
		case !slices.Contains(versions[path], got.text):
			t.Errorf("%s was reported, and is %.40q now", path, got.text)
		}
	}
}
