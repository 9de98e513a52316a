package engine

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"psync/internal/engine/backup"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

const (
	delayedSource = "./ 755 @2001-01-01T00:00:00Z\na 644 @2001-01-01T00:00:00Z new\nd/ 755 @2001-01-01T00:00:00Z\n" +
		"d/b 644 @2001-01-01T00:00:00Z new\nd/fresh 644 @2001-01-01T00:00:00Z new\nd/link -> b\n" +
		"locked/ 555 @2001-01-01T00:00:00Z\nlocked/c 444 @2001-01-01T00:00:00Z new\nway 644 @2001-01-01T00:00:00Z new\n"
	delayedDest = "a 644 old\nd/b 644 old\nlocked/c 444 old\nlocked/ 555\nway/x 644 old\nextraneous 644 old\n"
)

// TestUpdatesAreDelayed checks that no file gets its name before the last is written, and that the trees are then
// equal.
func TestUpdatesAreDelayed(t *testing.T) {
	for _, threads := range []int{1, 8} {
		b := newMirror(t, delayedSource, delayedDest)
		b.job.DelayUpdates, b.job.Threads = true, threads
		plain := b.job.Dest
		var mu sync.Mutex
		var named []string
		b.job.Dest = faultfs.New(plain, func(op, name string) error {
			mu.Lock()
			defer mu.Unlock()
			switch {
			case op == "create" && len(named) > 0:
				t.Errorf("%s is made when %q have their names", name, named)
			case (op == "rename" || op == "move" || op == "link") && name != "way":
				named = append(named, name)
			}
			return nil
		})
		b.mustRun(t)
		b.job.Dest = plain
		if len(named) != 4 {
			t.Errorf("named were %q, want four files", named)
		}
		b.wantEqual(t)
		b.mustRun(t)
		if len(b.record.events) != 0 {
			t.Errorf("the second run did %v", b.record.events)
		}
	}
}

// TestInterruptedUpdatesAreDiscarded interrupts a run with DelayUpdates at each operation: no temporary stays, and
// until the first file gets its name, all old files are unchanged. The next run does the rest.
func TestInterruptedUpdatesAreDiscarded(t *testing.T) {
	why := errors.New("interrupted by the test")
	for n, more := 1, true; more; n++ {
		b := newSync(t, delayedSource, "a 644 old\nd/b 644 old\nlocked/c 444 old\nlocked/ 555\n")
		b.job.DelayUpdates, b.job.Threads = true, 2
		ctx, cancel := context.WithCancelCause(t.Context())
		plain := b.job.Dest
		var mu sync.Mutex
		ops, began := 0, false
		b.job.Dest = faultfs.New(plain, func(op, _ string) error {
			mu.Lock()
			defer mu.Unlock()
			if ops++; ops == n {
				cancel(why)
			}
			began = began || ops < n && (op == "rename" || op == "move" || op == "link")
			return nil
		})
		err := b.run(ctx)
		more = ops >= n
		if err != nil && !errors.Is(err, why) {
			t.Fatalf("operation %d: %v", n, err)
		}
		tree := fstest.Tree(t, b.dst.Root())
		if strings.Contains(tree, ".psync") {
			t.Fatalf("operation %d: a temporary is left:\n%s", n, tree)
		}
		if failed := b.record.lines(report.Fail); failed != nil {
			t.Fatalf("operation %d: failed: %q", n, failed)
		}
		if err != nil && !began && strings.Count(tree, "old") < 2 {
			t.Fatalf("operation %d: before any file was renamed, there was\n%s", n, tree)
		}
		b.job.Dest = plain
		b.mustRun(t)
		b.wantEqual(t)
		cancel(nil)
		if t.Failed() {
			t.Fatalf("operation %d", n)
		}
	}
}

// TestDelayedUpdatesWithOtherOptions has hard links, which are made at once, a directory for temporaries, and backups.
func TestDelayedUpdatesWithOtherOptions(t *testing.T) {
	t.Run("hard links", func(t *testing.T) {
		linked, _ := groups(1, 5, 3)
		b := newLinked(t, linked+"single 644 x\n", "")
		b.job.DelayUpdates = true
		b.mustRun(t)
		b.wantEqual(t)
	})
	t.Run("temporaries elsewhere", func(t *testing.T) {
		b := newMirror(t, delayedSource, delayedDest+"temp/ 755\n")
		temp, err := b.job.Dest.OpenDir("temp", vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		defer temp.Close()
		b.job.DelayUpdates, b.job.TempDir = true, temp
		b.mustRun(t)
		if tree := fstest.Tree(t, temp); strings.Contains(tree, ".psync") {
			t.Errorf("left is\n%s", tree)
		}
	})
	t.Run("backups", func(t *testing.T) {
		b := newSync(t, delayedSource, "a 644 old\nd/b 644 old\n")
		b.job.DelayUpdates, b.job.BacksUp = true, true
		b.job.Backup = backup.Options{On: true, Suffix: "~"}
		b.mustRun(t)
		if tree := fstest.Tree(t, b.dst.Root()); !strings.Contains(tree, "a~") || !strings.Contains(tree, "d/b~") {
			t.Errorf("there are no backups:\n%s", tree)
		}
	})
	t.Run("a dry run", func(t *testing.T) {
		b := newMirror(t, delayedSource, delayedDest)
		before := fstest.Tree(t, b.dst.Root())
		b.job.DelayUpdates, b.job.DryRun = true, true
		b.mustRun(t)
		if after := fstest.Tree(t, b.dst.Root()); after != before {
			t.Errorf("it changed\n%s\nto\n%s", before, after)
		}
	})
}
