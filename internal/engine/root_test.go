package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// reopened makes the directories of the source called s0, s1 and so on sources. If into is true, Into is the name of
// each; otherwise the entries called names plus the number are copied.
func (b *testbed) reopened(n int, into bool, names ...string) {
	root := b.job.Sources[0].Dir
	b.job.Sources = nil
	for i := range n {
		dir := fmt.Sprintf("s%d", i)
		s := source.Tree{Label: "SRC/" + dir, Open: func() (vfs.Dir, error) { return root.OpenDir(dir, vfs.NoFollow) }}
		if into {
			s.Into = dir
		} else {
			for _, name := range names {
				s.Names = append(s.Names, fmt.Sprint(name, i))
			}
		}
		b.job.Sources = append(b.job.Sources, s)
	}
}

// TestReopenedSources copies from many directories, only a few of which may be open at the same time.
func TestReopenedSources(t *testing.T) {
	const n = 60
	var tree strings.Builder
	for i := range n {
		fmt.Fprintf(&tree, "s%d/d%d/in/f 644 @2001-01-01T00:00:00Z x\ns%d/f%d 644 @2001-01-01T00:00:00Z y\n", i, i, i, i)
		fmt.Fprintf(&tree, "s%d/l%d (= s0/f0)\ns%d/d%d/in/closed/ 500 @2002-01-01T00:00:00Z\n", i, i, i, i)
	}
	for _, into := range []bool{true, false} {
		for _, threads := range []int{1, 4} {
			for _, limited := range []bool{false, true} {
				t.Run(fmt.Sprintf("into %v, %d threads, limited %v", into, threads, limited), func(t *testing.T) {
					b := newTestbed(t, tree.String(), "")
					b.reopened(n, into, "f", "d", "l")
					b.job.Threads, b.job.OpenDirs, b.job.HardLinks = threads, 1, true
					b.job.Keep.Modes, b.job.Keep.Perms, b.job.Policy.Sync = true, true, true
					src, dst := b.src.Open(), b.dst.Open()
					var most atomic.Int64
					b.job.Sink = nil
					for i := range b.job.Sources {
						open := b.job.Sources[i].Open
						b.job.Sources[i].Open = func() (vfs.Dir, error) {
							most.Store(max(most.Load(), int64(b.src.Open()-src)))
							return open()
						}
					}
					b.mustRun(t)
					if most := int(most.Load()); most > 20 {
						t.Errorf("%d handles of the source were open", most)
					}
					_, want := b.trees(t, fstest.WithMtimes)

					in := "d7/"
					if into {
						in = "s7/d7/"
					}
					fstest.Fill(t, b.job.Dest, in+"gone/f 644 x\n"+in+"in/gone 644 x\n"+in+"in/more/f 644 x\n")
					b.job.DestIsNew, b.job.Delete.On = false, true
					if limited {
						b.job.Delete.Max = &plan.Limit{N: 100}
					}
					b.mustRun(t)
					if s, d := b.src.Open(), b.dst.Open(); s != src+1 || d != dst+1 { // the ones of the trees
						t.Errorf("%d source and %d destination handles stay open", s-src-1, d-dst-1)
					}
					if _, got := b.trees(t, fstest.WithMtimes); got != want {
						t.Errorf("the destination is\n%s\nwant\n%s", got, want)
					}
				})
			}
		}
	}
}

// TestReopenedSourceFails has a source that can no longer be opened.
func TestReopenedSourceFails(t *testing.T) {
	for _, into := range []bool{true, false} {
		b := newTestbed(t, "s0/f0 644 x\ns1/f1 644 x\ns2/f2 644 x\n", "")
		b.reopened(3, into, "f")
		b.job.Sources[1].Open = func() (vfs.Dir, error) { return nil, errors.New("replaced") }
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := b.record.lines(report.Fail); !slices.Equal(got, []string{"fail SRC/s1"}) {
			t.Errorf("into %v: %q, want one failure of SRC/s1", into, got)
		}
		if n := b.job.Stats.Totals()[report.FilesMade]; n != 2 {
			t.Errorf("into %v: %d files made, want 2", into, n)
		}
		var e report.Expected
		countAll.Count(t.Context(), b.job.Sources, plan.Policy{}, &e)
		if e.Files.Load() != 2 {
			t.Errorf("into %v: %d files are counted, want 2", into, e.Files.Load())
		}
	}
}

// TestRootIsListedOnce has many sources whose entries are copied to a destination that may hold temporaries.
func TestRootIsListedOnce(t *testing.T) {
	b := newTestbed(t, "s0/f0 644 x\ns1/f1 644 x\ns2/f2 644 x\n", "old 644 x\n")
	b.reopened(3, false, "f")
	var listed atomic.Int64
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
		if op == "readdir" {
			listed.Add(1)
		}
		return nil
	})
	b.mustRun(t)
	if listed.Load() != 1 {
		t.Errorf("the destination was listed %d times, want once", listed.Load())
	}
}

// TestRootThatAnotherProcessMakes has another process make the directory that a source is copied to, at the same time.
func TestRootThatAnotherProcessMakes(t *testing.T) {
	b := newTestbed(t, "f 644 x\n", "")
	plain := b.job.Dest
	b.job.Sources[0].Into = "new"
	b.job.Dest = faultfs.New(plain, func(op, name string) error {
		if op == "mkdir" && name == "new" {
			return vfs.Mkdir(plain, name, 0o755)
		}
		return nil
	})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if failed := b.record.lines(report.Fail); len(failed) != 1 || failed[0] != "fail DST/new" {
		t.Errorf("failed: %q, want the root", failed)
	}
}
