package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

func TestRemovedSourceFiles(t *testing.T) {
	const at = " @2001-01-01T00:00:00Z "
	b := newSync(t, "new 644"+at+"x\nsame 644"+at+"x\nd/changed 644"+at+"x\nl"+at+"-> x\nempty/ 755\nomitted 644"+at+"\"much too large\"\nnewer 644"+at+"x\n", "same 644"+at+"x\nd/changed 644"+at+"old\nnewer 644 @2002-01-01T00:00:00Z old\n")
	b.job.RemoveSource = true
	b.job.Policy.MaxSize, b.job.Policy.LimitSize = 5, true
	b.job.Policy.Update = true
	b.mustRun(t)
	src, _ := b.trees(t)
	if want := "d/ 755\nempty/ 755\nnewer 644 x\nomitted 644 much too large\n"; src != want {
		t.Errorf("the source has\n%s\nwant\n%s", src, want)
	}
}

// TestSourceIsNotRemovedUnlessCopied fails each operation on the destination.
func TestSourceIsNotRemovedUnlessCopied(t *testing.T) {
	for n := 1; ; n++ {
		b := newSync(t, "new 644 @2001-01-01T00:00:00Z x\nd/changed 644 @2001-01-01T00:00:00Z contents\nl @2001-01-01T00:00:00Z -> x\n", "d/changed 644 old\n")
		b.job.RemoveSource = true
		b.job.Threads = 1
		fault := faultfs.Nth(n, syscall.EIO)
		b.job.Dest = faultfs.New(b.job.Dest, fault.Before)
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if fault.Pending() {
			return
		}
		src, dst := b.trees(t)
		for _, line := range []string{"new 644 x\n", "d/changed 644 contents\n", "l -> x\n"} {
			if !strings.Contains(src, line) && !strings.Contains(dst, line) {
				t.Errorf("%v: %q is lost", fault, line)
			}
		}
	}
}

func TestSourceThatChangedIsNotRemoved(t *testing.T) {
	b := newSync(t, "f 644 @2001-01-01T00:00:00Z old\n", "")
	b.job.RemoveSource = true
	plain := b.job.Sources[0].Dir
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
		if op == "fclose" {
			overwrite(t, plain, "f", "f 644 @2002-01-01T00:00:00Z new")
		}
		return nil
	})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"fail SRC/f"}, report.Fail)
	if src, _ := b.trees(t); src != "f 644 new\n" {
		t.Errorf("the source has\n%s", src)
	}
}

// A laggingDir has files whose change time lags behind their link count.
type laggingDir struct {
	vfs.Dir
	ctime vfs.Stamp
}

func (d laggingDir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	f, err := d.Dir.OpenFile(name, mode, perm)
	if mode != vfs.ReadOnly {
		return f, err
	}
	return laggingFile{f, d.ctime}, err
}

type laggingFile struct {
	vfs.File
	ctime vfs.Stamp
}

func (f laggingFile) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	a, err := f.File.Statx(want)
	a.Ctime = f.ctime
	return a, err
}

// TestSourceOfManyNamesIsRemoved looks at a file after the file system has decreased its link count and before it has
// updated its change time.
func TestSourceOfManyNamesIsRemoved(t *testing.T) {
	for _, hardLinks := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			b := newSync(t, "a 644 @2001-01-01T00:00:00Z x\nb (= a)\nc (= a)\n", "")
			b.job.RemoveSource, b.job.HardLinks, b.job.Threads = true, hardLinks, 1
			before, err := vfs.Lstat(b.job.Sources[0].Dir, "a")
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Hour)
			b.job.Sources[0].Dir = laggingDir{b.job.Sources[0].Dir, before.Ctime}
			b.mustRun(t)
			if src, _ := b.trees(t); src != "" {
				t.Errorf("the source has\n%s", src)
			}
		})
	}
}

// TestSourceIsListedBeforeAnythingIsRemoved has a file system that numbers entries by position, so those that follow
// a removed one move up.
func TestSourceIsListedBeforeAnythingIsRemoved(t *testing.T) {
	for _, fsync := range []bool{false, true} {
		var tree strings.Builder
		for i := range 500 {
			fmt.Fprintf(&tree, "f%d 644 x\nd/f%d 644 x\n", i, i)
		}
		b := newSync(t, tree.String(), "")
		b.src.SetListing(memfs.ListByPosition)
		b.job.RemoveSource, b.job.Fsync = true, fsync
		b.mustRun(t)
		if src, _ := b.trees(t); src != "d/ 755\n" || b.job.Stats.Totals()[report.FilesCopied] != 1000 {
			t.Errorf("fsync %v: %d files were copied, and the source has\n%s", fsync, b.job.Stats.Totals()[report.FilesCopied], src)
		}
	}
}

// TestJournalAwaitsRemovalsFromTheSource interrupts runs between copying and the removals at the end. A run that
// resumes the journal removes what is left.
func TestJournalAwaitsRemovalsFromTheSource(t *testing.T) {
	for _, links := range []plan.Links{{}, {Copy: true}} {
		b := newSync(t, "a/f 644 x\nb/f 644 x\nf 644 x\n", "")
		b.job.RemoveSource, b.job.Fsync, b.job.Links = true, true, links
		j := newJournaled(t, b)
		ctx, interrupt := context.WithCancel(t.Context())
		plain := b.job.Sources[0].Dir
		b.job.Sources[0].Dir = faultfs.New(plain, func(op, _ string) error {
			if op == "remove" {
				interrupt()
			}
			return nil
		})
		if a, err := j.run(ctx, t); !errors.Is(err, context.Canceled) || a.Complete() {
			t.Fatalf("links %+v: Run = %v; audit %+v", links, err, a)
		}
		b.job.Sources[0].Dir = plain
		j.wantComplete(t, 3)
		if src, _ := b.trees(t); src != "a/ 755\nb/ 755\n" {
			t.Errorf("links %+v: the source has\n%s", links, src)
		}
	}
}

// TestSourcesAreRemovedBeforeTheEnd expects copies of many files to be synced, and their sources removed, while others
// are still copied.
func TestSourcesAreRemovedBeforeTheEnd(t *testing.T) {
	const dirs, files = 50, 100
	var tree strings.Builder
	for i := range dirs * files {
		fmt.Fprintf(&tree, "d%d/f%d 644 x\n", i/files, i)
	}
	b := newSync(t, tree.String(), "")
	b.job.RemoveSource, b.job.Fsync = true, true
	var removed, before atomic.Int32
	b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, _ string) error {
		if op == "remove" {
			removed.Add(1)
		}
		return nil
	})
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
		if op == "create" {
			before.Store(removed.Load())
		}
		return nil
	})
	newJournaled(t, b).wantComplete(t, 1+dirs)
	if removed.Load() != dirs*files || before.Load() == 0 {
		t.Errorf("%d files were removed, %d of them before the last file was made", removed.Load(), before.Load())
	}
}
