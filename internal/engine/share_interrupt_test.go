package engine

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs/faultfs"
)

// TestInterruptsWhileEverythingIsShared interrupts a run at its first, second, ... last operation on the destination,
// while many workers are processing entries of the same directories or ranges of the same file. No file is left half
// done, nothing is reported as a failure, nothing stays open, and the next run completes what was started.
func TestInterruptsWhileEverythingIsShared(t *testing.T) {
	linked, _ := groups(1, 25, 3)
	large := fmt.Sprintf("d/large 644 @2001-01-01T00:00:00Z %q*%d\nd/f 644 x\n", "x", 20<<20)
	tests := []struct {
		name string
		new  func(t *testing.T) *testbed
		// stride is how many operations lie between two at which it is interrupted.
		stride int
	}{
		{"copy", func(t *testing.T) *testbed { return newTestbed(t, plainRoot, "") }, 1},
		{"mirror", func(t *testing.T) *testbed { return newMirror(t, rich, stale) }, 1},
		{"limit", func(t *testing.T) *testbed {
			b := newMirror(t, rich, stale)
			b.job.Delete.Max = &plan.Limit{N: 1000}
			return b
		}, 1},
		{"many removals", func(t *testing.T) *testbed {
			return newMirror(t, "f 644 x\nd/f 644 x\n", strings.ReplaceAll(many("d", 30)+many("e/d", 30), " x\n", " old\n"))
		}, 1},
		{"hard links", func(t *testing.T) *testbed { return newLinked(t, linked, "") }, 3},
		{"ranges", func(t *testing.T) *testbed { return newSync(t, large, "") }, 7},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			shareAll(t, true)
			for n := 1; interrupted(t, tt.new(t), n); n += tt.stride * stride() {
			}
		})
	}
}

// interrupted interrupts a run at the n-th operation on the destination, and reports whether that happened.
func interrupted(t *testing.T, b *testbed, n int) bool {
	t.Helper()
	why := errors.New("interrupted by the test")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	plain := b.job.Dest
	var mu sync.Mutex
	ops, at := 0, ""
	b.job.Dest = faultfs.New(plain, func(op, name string) error {
		mu.Lock()
		defer mu.Unlock()
		if ops++; ops == n {
			at = fmt.Sprintf("operation %d (%s %s)", n, op, name)
			cancel(why)
		}
		return nil
	})
	b.job.Threads = 16
	src, dst := b.src.Open(), b.dst.Open()
	err := b.run(ctx)
	if at == "" {
		return false
	}
	// The run may have ended by the last operation.
	if err != nil && !errors.Is(err, why) {
		t.Errorf("%s: Run = %v, want the cause", at, err)
	}
	if bad := b.record.lines(report.Fail, report.Vanish, report.Unkept); bad != nil {
		t.Errorf("%s: the interrupt was reported as a failure: %q", at, bad)
	}
	if s, d := b.src.Open(), b.dst.Open(); s != src || d != dst {
		t.Errorf("%s: %d source and %d destination handles stay open", at, s-src, d-dst)
	}
	copied := int64(0)
	for _, e := range b.record.events {
		if e.Kind == report.Copy || e.Kind == report.Replace && e.Type == 0 {
			copied += e.Size
		}
	}
	if got := b.job.Stats.Totals()[report.BytesCopied]; got != copied {
		t.Errorf("%s: %d bytes counted, but the files copied have %d", at, got, copied)
	}
	wantWholeFiles(t, b)
	b.job.Dest, b.job.DestIsNew = plain, false
	b.mustRun(t)
	if b.job.HardLinks {
		b.wantSame(t)
	} else {
		b.wantEqual(t)
	}
	if t.Failed() {
		t.Fatalf("after %s", at)
	}
	return true
}
