package engine

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
	"psync/internal/vfs/faultfs"
)

// TestTimeIsOver ends the time of a run while it writes a file. That file is completed, with its attributes; nothing
// else is started, nothing is removed, and the next run does the rest.
func TestTimeIsOver(t *testing.T) {
	const src = "a/f 600 @2001-01-01T00:00:00Z new\na/g 644 @2001-01-01T00:00:00Z new\nb/f 644 @2001-01-01T00:00:00Z new\nc/f 644 x\n"
	synctest.Test(t, func(t *testing.T) {
		b := newMirror(t, src, "a/gone 644 x\nb/gone 644 x\nc/gone 644 x\n")
		plain, written := b.job.Dest, []string(nil)
		b.job.Threads, b.job.Until = 1, time.Now().Add(time.Minute)
		b.job.Dest = faultfs.New(plain, func(op, name string) error {
			if op == "write" {
				written = append(written, name)
				time.Sleep(2 * time.Minute)
			}
			return nil
		})
		err := b.run(t.Context())
		stop, ok := errors.AsType[*StopError](err)
		if !ok || stop.Left == 0 || stop.Unseen == 0 || stop.Left <= stop.Unseen {
			t.Fatalf("Run = %v (%+v)", err, stop)
		}
		totals := b.job.Stats.Totals()
		if len(written) != 1 || totals[report.FilesCopied] != 1 || totals[report.FilesDeleted] != 0 || totals[report.Failed] != 0 {
			t.Errorf("written were %q; %d files were copied, %d removed, %d failed", written,
				totals[report.FilesCopied], totals[report.FilesDeleted], totals[report.Failed])
		}
		b.job.Dest, b.job.Until = plain, time.Time{}
		b.mustRun(t)
		if n := b.job.Stats.Totals()[report.FilesCopied]; n != 3 {
			t.Errorf("the next run copied %d files, want 3", n)
		}
		b.wantSame(t)
	})
}

// TestTimeIsOverWhileSyncing lets the time end when everything is copied: sources are removed as in any other run.
func TestTimeIsOverWhileSyncing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newSync(t, "a/f 644 x\nf 644 x\n", "")
		b.job.Until = time.Now().Add(time.Minute)
		b.job.RemoveSource, b.job.Fsync, b.job.Links.Copy = true, true, true
		b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
			if op == "sync" {
				time.Sleep(2 * time.Minute)
			}
			return nil
		})
		b.mustRun(t)
		if src, _ := b.trees(t); src != "a/ 755\n" {
			t.Errorf("the source has\n%s", src)
		}
	})
}

// TestTransferLimit ends a run after so many bytes. The file in hand is completed; nothing else is started, nothing is
// removed, and the next run does the rest. What is current, or smaller than the limit, takes nothing from it.
func TestTransferLimit(t *testing.T) {
	const src = "a/f 644 @2001-01-01T00:00:00Z 0123456789\nb/f 644 @2001-01-01T00:00:00Z 0123456789\nc/f 644 @2001-01-01T00:00:00Z 0123456789\n"
	for _, tt := range []struct{ limit, copied int64 }{{1, 1}, {10, 1}, {11, 2}, {20, 2}, {21, 3}, {31, 3}} {
		b := newSync(t, src, "a/gone 644 x\n")
		b.job.Delete.On, b.job.Threads, b.job.MaxTransfer = true, 1, tt.limit
		err := b.run(t.Context())
		if totals := b.job.Stats.Totals(); totals[report.FilesCopied] != tt.copied || totals[report.Failed] != 0 {
			t.Errorf("limit %d: %d files were copied, want %d", tt.limit, totals[report.FilesCopied], tt.copied)
		}
		if stopped := errors.As(err, new(*StopError)); stopped != (tt.limit <= 30) {
			t.Errorf("limit %d: Run = %v", tt.limit, err)
		}
		for range 3 {
			_ = b.run(t.Context())
		}
		b.mustRun(t)
		b.wantSame(t)
	}
}

// TestTimeThatSuffices has a time that ends after everything is done.
func TestTimeThatSuffices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newMirror(t, "a/f 644 x\n", "a/gone 644 x\n")
		b.job.Until = time.Now().Add(time.Minute)
		b.mustRun(t)
		b.wantSame(t)
	})
}

// TestTimeIsOverWhileAFileIsShared has several workers copying ranges of one file when the time is over.
func TestTimeIsOverWhileAFileIsShared(t *testing.T) {
	shareAll(t, true)
	synctest.Test(t, func(t *testing.T) {
		b := newSync(t, "large 644 @2001-01-01T00:00:00Z \"x\"*20971520\n", "")
		b.job.Threads, b.job.Until = 4, time.Now().Add(time.Minute)
		plain := b.job.Dest
		b.job.Dest = faultfs.New(plain, func(op, _ string) error {
			if op == "write" {
				time.Sleep(2 * time.Minute)
			}
			return nil
		})
		if err := b.run(t.Context()); !errors.As(err, new(*StopError)) {
			t.Errorf("Run = %v, want a StopError", err)
		}
		if b.job.Stats.Totals()[report.FilesCopied] != 1 {
			t.Error("the file in hand was not completed")
		}
		b.job.Dest, b.job.Until = plain, time.Time{}
		b.mustRun(t)
		if b.job.Stats.Totals()[report.FilesCopied] != 0 {
			t.Error("the next run copied the file once more")
		}
		b.wantSame(t)
	})
}
