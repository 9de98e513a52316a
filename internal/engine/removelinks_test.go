package engine

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"

	"psync/internal/campaign"
	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// linkedTree returns a random tree. What is copied is in the directory in; links lead to it, within it and out of it,
// to other links and to directories that contain them, and files have several names.
func linkedTree(r *rand.Rand) string {
	dirs := []string{"in", "in/p", "in/p/q", "in/z", "out", "out/d"}
	var lines, paths []string
	for _, d := range dirs {
		lines = append(lines, d+"/ 755 @2001-01-01T00:00:00Z")
		for i := range r.IntN(3) {
			p := fmt.Sprintf("%s/f%d", d, i)
			if len(paths) > 0 && r.IntN(5) == 0 {
				lines = append(lines, fmt.Sprintf("%s (= %s)", p, paths[r.IntN(len(paths))]))
				continue
			}
			lines = append(lines, fmt.Sprintf("%s 644 @2002-01-01T00:00:00Z %q", p, p))
			paths = append(paths, p)
		}
	}
	targets := append(paths, dirs...)
	for i := range r.IntN(5) {
		in := dirs[r.IntN(4)]
		to := targets[r.IntN(len(targets))]
		l := fmt.Sprintf("%s/l%d", in, i)
		targets = append(targets, l)
		if r.IntN(2) == 0 {
			to = "/" + to
		} else {
			to = strings.Repeat("../", strings.Count(in, "/")+1) + to
		}
		lines = append(lines, fmt.Sprintf("%s @2003-01-01T00:00:00Z -> %s", l, to))
	}
	return strings.Join(lines, "\n")
}

// A linkedRun is a run that follows links of a linkedTree.
type linkedRun struct {
	*testbed
	tree string
	out  vfs.Dir // what must not change
}

func newLinkedRun(t *testing.T, seed uint64, removes bool) *linkedRun {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 11))
	tree := linkedTree(r)
	b := newSync(t, tree, "")
	l := &linkedRun{testbed: b, tree: tree, out: open(t, b.job.Sources[0].Dir, "out")}
	in := open(t, b.job.Sources[0].Dir, "in")
	b.job.Sources = []source.Tree{{Dir: in, Label: "SRC"}}
	if r.IntN(3) == 0 {
		b.job.Sources = append(b.job.Sources, source.Tree{Dir: open(t, in, "p"), Label: "SRC/p", Into: "more"})
	}
	switch r.IntN(4) {
	case 0:
		b.job.Links = plan.Links{Copy: true}
	case 1:
		b.job.Links = plan.Links{CopyDirlinks: true}
	case 2:
		b.job.Links = plan.Links{CopyUnsafe: true}
	}
	b.job.Threads = 1 + r.IntN(3)
	b.job.HardLinks = r.IntN(2) == 0
	b.job.Fsync = r.IntN(3) == 0
	b.src.SetListing(memfs.Listing(r.IntN(3)))
	b.job.RemoveSource = removes
	return l
}

func open(t *testing.T, in vfs.Dir, name string) vfs.Dir {
	t.Helper()
	d, err := in.OpenDir(name, vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// wantRemoved checks that what was copied is gone if nothing failed.
func (l *linkedRun) wantRemoved(t *testing.T) {
	t.Helper()
	left := fstest.Tree(t, l.job.Sources[0].Dir)
	for line := range strings.Lines(left) {
		if l.job.Stats.Totals()[report.Failed] == 0 && !strings.Contains(line, "/ 755") && !strings.Contains(line, " -> ") {
			t.Errorf("the source still has %s", line)
		}
	}
}

// TestRemovedSourcesOfRandomLinks expects runs that remove sources to make what they would otherwise make, whatever
// the links lead to, even after a failed operation or an interrupt, and to leave alone what is outside.
func TestRemovedSourcesOfRandomLinks(t *testing.T) {
	for _, seed := range campaign.Seeds("REMOVALS", 100, 3000) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) { removesLinked(t, seed) })
		if t.Failed() {
			return
		}
	}
}

func removesLinked(t *testing.T, seed uint64) {
	model := newLinkedRun(t, seed, false)
	if err := model.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantAs := func(l *linkedRun, what string, opts ...fstest.TreeOption) {
		t.Helper()
		got, want := fstest.Tree(t, l.dst.Root(), opts...), fstest.Tree(t, model.dst.Root(), opts...)
		if got != want {
			t.Errorf("%s, the destination has\n%s\nwant\n%s\nof the source\n%s", what, got, want, l.tree)
		}
		got, want = fstest.Tree(t, l.out, fstest.WithMtimes), fstest.Tree(t, model.out, fstest.WithMtimes)
		if got != want {
			t.Errorf("%s, outside there is\n%s\nwant\n%s", what, got, want)
		}
		for _, e := range l.record.events {
			if t.Failed() && e.Err != nil {
				t.Logf("%s: %v", e.Path(), e.Err)
			}
		}
	}
	moved := newLinkedRun(t, seed, true)
	if err := moved.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantAs(moved, "moved", fstest.WithMtimes, fstest.WithLinks)
	moved.wantRemoved(t)

	broken := newLinkedRun(t, seed, true)
	r := rand.New(rand.NewPCG(seed, 12))
	fault, interrupts := faultfs.Nth(1+r.IntN(60), syscall.EIO), r.IntN(2) == 0
	ctx, interrupt := context.WithCancelCause(t.Context())
	hook := func(op, name string) error {
		err := fault.Before(op, name)
		if err != nil && interrupts {
			interrupt(errors.New("interrupted"))
			return nil
		}
		return err
	}
	src, dst := broken.job.Sources[0].Dir, broken.job.Dest
	broken.job.Sources[0].Dir, broken.job.Dest = faultfs.New(src, hook), faultfs.New(dst, hook)
	_ = broken.run(ctx)
	broken.job.Sources[0].Dir, broken.job.Dest, broken.job.DestIsNew = src, dst, false
	if err := broken.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantAs(broken, "after a fault")
	broken.wantRemoved(t)
}
