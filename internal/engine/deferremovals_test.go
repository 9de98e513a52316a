package engine

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// lookedAtAgain runs the job, in which removals are deferred, and returns how many directories are looked at again
// for them.
func (b *testbed) lookedAtAgain(t *testing.T) int {
	t.Helper()
	b.record = new(record)
	b.job.Sink, b.job.Stats, b.job.AlwaysShare = b.record, new(report.Stats), alwaysShare
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	r := newRun(b.job, stop)
	var again atomic.Int32
	put := r.job.DeferredRemovals.Put
	r.job.DeferredRemovals.Put = func(d *job.Dir, t job.Task) { again.Add(1); put(d, t) }
	if err := r.run(ctx); err != nil {
		t.Fatal(err)
	}
	if bad := b.record.lines(report.Fail); bad != nil {
		t.Fatalf("failed: %q", bad)
	}
	return int(again.Load())
}

// TestDeferredRemovalsAreOneTaskOfADirectory lets many workers find out what to remove from one directory.
func TestDeferredRemovalsAreOneTaskOfADirectory(t *testing.T) {
	shareAll(t, true)
	for range 10 {
		src, dst := manyEntries(true)
		b := newMirror(t, src, dst)
		b.job.HardLinks, b.job.Threads, b.job.Delete.Max = true, 16, &plan.Limit{N: 10000}
		if again := b.lookedAtAgain(t); again != 28 {
			t.Errorf("%d directories are looked at twice, want 28", again)
		}
		b.wantSame(t)
	}
}

// TestDirectoriesInTheWayAreDeferredByAnyWorker has nothing else to remove.
func TestDirectoriesInTheWayAreDeferredByAnyWorker(t *testing.T) {
	shareAll(t, true)
	for _, threads := range []int{1, 16} {
		b := newMirror(t, many("d", 50), strings.ReplaceAll(many("d", 50), " 644", "/in-the-way 644"))
		b.job.Threads, b.job.Delete.Max = threads, &plan.Limit{N: 100}
		if again := b.lookedAtAgain(t); again != 1 {
			t.Errorf("%d directories are looked at twice, want 1", again)
		}
		b.wantEqual(t)
	}
}

// TestDirectoryInTheWayOfALinkThatIsWaitedFor copies the first name of a file slowly: a directory with another name
// has nothing else to do, and its worker leaves it before the copy exists.
func TestDirectoryInTheWayOfALinkThatIsWaitedFor(t *testing.T) {
	for _, extraneous := range []string{"", "b/gone 644 x\n"} {
		synctest.Test(t, func(t *testing.T) {
			b := newMirror(t, "a/f 644 text\nb/f (= a/f)\n", "b/f/in-the-way 644 x\n"+extraneous)
			b.job.HardLinks, b.job.Threads, b.job.Delete.Max = true, 2, &plan.Limit{N: 100}
			slow := make(chan struct{})
			var once sync.Once
			b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
				if op == "opendir" && name == "b" {
					select {
					case <-slow:
					case <-time.After(time.Minute):
						return errors.New("waited for too long")
					}
				}
				return nil
			})
			b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
				if op == "write" {
					once.Do(func() { close(slow); time.Sleep(time.Second) })
				}
				return nil
			})
			if again := b.lookedAtAgain(t); again != 1 {
				t.Errorf("%d directories are looked at twice, want 1", again)
			}
			if src, dst := b.trees(t, fstest.WithLinks); src != dst {
				t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
			}
		})
	}
}
