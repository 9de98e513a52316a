package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/journal"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs/faultfs"
)

// A journaled testbed runs its job with a journal, and resumes it.
type journaled struct {
	*testbed
	name string
}

func newJournaled(t *testing.T, b *testbed) *journaled {
	return &journaled{b, filepath.Join(t.TempDir(), "journal")}
}

// run runs the job, and returns its error and what the journal then proves. The run starts or resumes the journal.
func (j *journaled) run(ctx context.Context, t *testing.T) (*journal.Audit, error) {
	t.Helper()
	roots := slices.Repeat([]string{"/src"}, len(j.job.Sources))
	w, p, _, err := journal.Resume(os.OpenFile, j.name, journal.Job{Roots: roots}, journal.Session{}, j.job.HardLinks)
	if err != nil {
		t.Fatal(err)
	}
	j.job.Journal, j.job.Progress = w, p
	result := j.testbed.run(ctx)
	if err := w.Close(journal.End{}); err != nil {
		t.Fatal(err)
	}
	f, err := journal.Read(j.name, "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	a, err := f.Audit()
	if err != nil {
		t.Fatal(err)
	}
	return a, result
}

func (j *journaled) wantComplete(t *testing.T, directories int64) {
	t.Helper()
	a, err := j.run(t.Context(), t)
	if err != nil || !a.Complete() || a.Found != directories {
		t.Fatalf("Run = %v; audit %+v, want %d directories", err, a, directories)
	}
}

// counting makes a directory count the operations that reach it.
func counting(n *atomic.Int64, then func(op, name string)) func(op, name string) error {
	return func(op, name string) error {
		n.Add(1)
		if then != nil {
			then(op, name)
		}
		return nil
	}
}

// TestResumeLooksAtLittle ends a run when a tenth of its directories are left, and counts the operations of the run
// that resumes it.
func TestResumeLooksAtLittle(t *testing.T) {
	const wide, deep = 25, 40 // directories
	var src strings.Builder
	for i := range wide {
		for k := range deep {
			fmt.Fprintf(&src, "d%02d/e%02d/f 644 @2001-01-01T00:00:00Z text\n", i, k)
		}
	}
	const all = 1 + wide + wide*deep
	b := newSync(t, src.String(), "")
	j := newJournaled(t, b)
	dest, source := b.job.Dest, b.job.Sources[0].Dir
	b.job.Threads = 4
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var ops, writes atomic.Int64
	b.job.Sources[0].Dir = faultfs.New(source, counting(&ops, nil))
	b.job.Dest = faultfs.New(dest, counting(&ops, func(op, _ string) {
		if op == "write" && writes.Add(1) == wide*deep*9/10 {
			cancel()
		}
	}))
	a, err := j.run(ctx, t)
	if !errors.Is(err, context.Canceled) || a.Complete() {
		t.Fatalf("Run = %v; audit %+v", err, a)
	}
	first := ops.Swap(0)
	if a.Done < all*8/10 {
		t.Fatalf("only %d directories of %d were done", a.Done, all)
	}
	j.wantComplete(t, all)
	b.wantSame(t)
	if again := ops.Load(); again*100 > (first+again)*15 {
		t.Errorf("%d operations before, %d after", first, again)
	}
	ops.Store(0)
	j.wantComplete(t, all)
	if n := ops.Load(); n > 10 {
		t.Errorf("%d operations when all was done", n)
	}
}

// TestJournalKnowsWhatIsDoneLater expects a journal to be complete when everything that a run leaves for later in
// its directories is done.
func TestJournalKnowsWhatIsDoneLater(t *testing.T) {
	const src = "./ 755 @2001-01-01T00:00:00Z\na/ 555 @2001-01-01T00:00:00Z\na/b/ 555\na/b/f 644 @2001-01-01T00:00:00Z text\n" +
		"a/l (= a/b/f)\na/b/g 644 new\n"
	const dst = "a/ 755\na/b/ 755\na/b/g 644 @2000-01-01T00:00:00Z old\na/b/gone/x/y 644 x\na/gone2/z 644 x\nextra/ 755\n"
	for _, tt := range []struct {
		name        string
		directories int64
		set         func(b *testbed)
	}{
		{"links and removals", 3, func(*testbed) {}},
		{"delayed files", 3, func(b *testbed) { b.job.DelayUpdates = true }},
		{"removals that are counted", 3, func(b *testbed) { b.job.Delete.Max = &plan.Limit{N: 100} }},
		{"removals that wait for links", 3, func(b *testbed) { b.job.Links.KeepDirlinks = true }},
		{"everything", 3, func(b *testbed) {
			b.job.DelayUpdates, b.job.Delete.Max, b.job.Links.KeepDirlinks = true, &plan.Limit{N: 100}, true
		}},
		{"several sources", 6, func(b *testbed) {
			b.job.Sources = append(b.job.Sources, source.Tree{Dir: another(t, src), Label: "OTHER"})
			b.job.Threads = 1 // two that make one name at the same time may fail
		}},
		{"removed sources", 3, func(b *testbed) { b.job.RemoveSource, b.job.Fsync, b.job.Delete.On = true, true, false }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for threads := range 4 {
				b := newLinked(t, src, dst)
				b.job.Delete.On, b.job.Threads = true, 1+threads
				tt.set(b)
				newJournaled(t, b).wantComplete(t, tt.directories)
			}
		})
	}
}

// TestResumeWherever ends runs that have every kind of pending work at random moments, and resumes until one
// completes.
func TestResumeWherever(t *testing.T) {
	const src = "a/f 644 @2001-01-01T00:00:00Z text\na/g/h 644 @2001-01-01T00:00:00Z text\n" +
		"b/ 555\nb/c/ 500\nb/c/f 600 @2002-01-01T00:00:00Z text\nb/d/f 644 x\ne/l1 644 @2001-01-01T00:00:00Z linked\nk/l2 (= e/l1)\n" +
		"h/f 644 @2001-01-01T00:00:00Z new\nempty/ 755\n"
	const dst = "a/gone/x/y 644 x\na/gone2 644 x\nb/d/gone/z 644 x\nextra/f 644 x\nh/f 644 @2003-01-01T00:00:00Z old\n"
	ended := 0
	for _, kind := range []string{"", "delay", "max"} {
		for seed := range uint64(30) {
			r := rand.New(rand.NewPCG(seed, 1))
			b := newLinked(t, src, dst)
			b.job.Delete.On = true
			b.job.Threads = 1 + r.IntN(4)
			switch kind {
			case "delay":
				b.job.DelayUpdates = true
			case "max":
				b.job.Delete.Max = &plan.Limit{N: 100}
			}
			j := newJournaled(t, b)
			dest := b.job.Dest
			for range 2 {
				var ops atomic.Int64
				ctx, cancel := context.WithCancel(t.Context())
				at := 1 + r.Int64N(120)
				b.job.Dest = faultfs.New(dest, counting(&ops, func(string, string) {
					if ops.Load() == at {
						cancel()
					}
				}))
				a, err := j.run(ctx, t)
				cancel()
				if err == nil && !a.Complete() {
					t.Fatalf("%s, seed %d: Run = nil; audit %+v", kind, seed, a)
				}
				if err != nil {
					ended++
				}
			}
			b.job.Dest = dest
			a, err := j.run(t.Context(), t)
			if err != nil || !a.Complete() {
				t.Fatalf("%s, seed %d: Run = %v; audit %+v", kind, seed, err, a)
			}
			b.wantSame(t)
		}
	}
	if ended < 60 {
		t.Errorf("only %d runs were ended", ended)
	}
}

// TestFailuresAreLeft makes operations fail at random. What the journal calls complete is complete; the next run
// handles the rest.
func TestFailuresAreLeft(t *testing.T) {
	const src = "a/f 644 text\na/g/h 644 text\nb/c/f 600 text\nb/d/f 644 x\nh/f 644 new\ni/j/k/l 644 x\n"
	const dst = "a/gone/x/y 644 x\na/gone2 644 x\nb/d/gone/z 644 x\nextra/f 644 x\nh/f 644 @2003-01-01T00:00:00Z old\n"
	failed := 0
	for seed := range uint64(100) {
		b := newMirror(t, src, dst)
		b.job.Threads = 1 + int(seed%3)
		j := newJournaled(t, b)
		dest, source := b.job.Dest, b.job.Sources[0].Dir
		r := rand.New(rand.NewPCG(seed, 2))
		var ops atomic.Int64
		at := 1 + r.Int64N(150)
		fail := func(string, string) error {
			if ops.Add(1) == at {
				return syscall.EIO
			}
			return nil
		}
		b.job.Dest, b.job.Sources[0].Dir = faultfs.New(dest, fail), faultfs.New(source, fail)
		a, err := j.run(t.Context(), t)
		totals := b.job.Stats.Totals()
		b.job.Dest, b.job.Sources[0].Dir = dest, source
		if err != nil && a.Complete() {
			t.Fatalf("seed %d: Run = %v, and the journal is complete", seed, err)
		}
		if !a.Complete() {
			failed++
		} else if n := totals[report.Failed]; n > 0 {
			t.Errorf("seed %d: %d entries have failed, and the journal is complete", seed, n)
		}
		if a, err := j.run(t.Context(), t); err != nil || !a.Complete() {
			t.Fatalf("seed %d: Run = %v; audit %+v", seed, err, a)
		}
		b.wantSame(t)
	}
	if failed < 40 {
		t.Errorf("only %d runs have failed", failed)
	}
}

// TestResumedCopyReplacesNothingWithDirectories resumes a copy that has failed because a file is in the way of a directory.
// Only a sync replaces it, and a copy that has made the directory before.
func TestResumedCopyReplacesNothingWithDirectories(t *testing.T) {
	b := newSync(t, "d/f 644 x\nother 644 @2001-01-01T00:00:00Z same\n", "d 644 precious\n")
	b.job.Policy.Sync = false
	j := newJournaled(t, b)
	for run, copied := range []string{"[copy other]", "[]"} {
		if a, err := j.run(t.Context(), t); err != nil || a.Failed != 1 {
			t.Errorf("run %d: %v; audit %+v", run, err, a)
		}
		if got := fmt.Sprint(b.record.lines(report.Copy, report.Replace, report.Mkdir)); got != copied {
			t.Errorf("run %d has done %s, want %s", run, got, copied)
		}
	}
	if _, dst := b.trees(t); !strings.Contains(dst, "d 644 precious\n") {
		t.Errorf("the destination has\n%s", dst)
	}
}
