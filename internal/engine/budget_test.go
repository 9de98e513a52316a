package engine

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs/faultfs"
)

// TestLimitHoldsForWhatVanishesAfterTheCount has a source that loses its files between the count and the removals, as
// if it were unmounted: no more is removed than was allowed.
func TestLimitHoldsForWhatVanishesAfterTheCount(t *testing.T) {
	b := newTestbed(t, "a 644 x\nb 644 x\nc 644 x\n", "a 644 x\nb 644 x\nc 644 x\ngone 644 x\n")
	b.job.Policy.Sync = true
	b.job.Delete = plan.Delete{On: true, EmptySource: true, Max: &plan.Limit{N: 2}}
	plain := b.job.Sources[0].Dir
	var mu sync.Mutex
	listings := 0
	b.job.Sources[0].Dir = faultfs.New(plain, func(op, _ string) error {
		mu.Lock()
		defer mu.Unlock()
		if op != "readdir" {
			return nil
		}
		if listings++; listings == 2 {
			for _, name := range []string{"a", "b", "c"} {
				if err := plain.Remove(name, nil); err != nil {
					t.Error(err)
				}
			}
		}
		return nil
	})
	var over *job.LimitError
	if err := b.run(t.Context()); !errors.As(err, &over) || !over.Exceeded {
		t.Errorf("Run = %v, want a LimitError that says that there were more", err)
	}
	if n := len(b.record.lines(report.Delete)); n != 2 {
		t.Errorf("%d entries were removed, want the 2 that were allowed", n)
	}
}

// TestWhatCannotBeCountedIsNotRemoved fails to open an extraneous directory for a reason that may no longer exist
// when it would be removed.
func TestWhatCannotBeCountedIsNotRemoved(t *testing.T) {
	b := newTestbed(t, "f 644 x\n", "f 644 x\ngone/f 644 x\ngone/g 644 x\n")
	b.job.Policy.Sync = true
	b.job.Delete = plan.Delete{On: true, Max: &plan.Limit{N: 10}}
	b.job.Dest = faultfs.Inject(b.job.Dest, `(op opendir, path "gone", err EMFILE)`)
	var over *job.LimitError
	if err := b.run(t.Context()); !errors.As(err, &over) || !over.Uncounted {
		t.Errorf("Run = %v, want a LimitError that says that some were not counted", err)
	}
	if got := b.record.lines(report.Delete); got != nil {
		t.Errorf("removed %q", got)
	}
}

// TestDirectoryThatCannotBeMadeCostsNoFile replaces a file with a directory of the source where no directory can be
// made.
func TestDirectoryThatCannotBeMadeCostsNoFile(t *testing.T) {
	b := newTestbed(t, "x/f 644 new\n", "x 644 precious\n")
	b.job.Policy.Sync = true
	b.job.Dest = faultfs.Inject(b.job.Dest, "(op mkdir, err EMLINK)")
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.record.lines(report.Fail); !slices.Equal(got, []string{"fail DST/x"}) {
		t.Errorf("reported %q", got)
	}
	if _, dst := b.trees(t); dst != "x 644 precious\n" {
		t.Errorf("destination:\n%s\nwant the file as it was", dst)
	}
}

// TestFileThatCannotBeReadCostsNoDirectory replaces a directory and its contents with a file that cannot be read.
func TestFileThatCannotBeReadCostsNoDirectory(t *testing.T) {
	b := newTestbed(t, "x 644 new\n", "x/f 644 precious\n")
	b.job.Policy.Sync = true
	b.job.Delete = plan.Delete{On: true}
	b.job.Sources[0].Dir = faultfs.Inject(b.job.Sources[0].Dir, `(op read, path "x", err EIO)`)
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, dst := b.trees(t); dst != "x/ 755\nx/f 644 precious\n" {
		t.Errorf("destination:\n%s\nwant the directory as it was", dst)
	}
}

// TestDirectoryIsNotCopiedOntoItself has the same directory on both sides, as a bind mount or a followed link makes
// possible.
func TestDirectoryIsNotCopiedOntoItself(t *testing.T) {
	b := newTestbed(t, "f 644 precious\n", "")
	b.job.Dest.Close()
	b.job.Dest, b.job.DestIsNew = b.src.Root(), false
	defer b.job.Dest.Close()
	b.job.RemoveSource = true
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b.record.lines(report.Fail) == nil {
		t.Error("nothing was reported")
	}
	if src, _ := b.trees(t); src != "f 644 precious\n" {
		t.Errorf("source:\n%s\nwant what it was", src)
	}
}
