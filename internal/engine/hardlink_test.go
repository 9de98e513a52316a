package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// newLinked returns a job that preserves hard links and everything else.
func newLinked(t testing.TB, src, dst string) *testbed {
	t.Helper()
	b := newSync(t, src, dst)
	b.job.HardLinks = true
	b.job.Policy.Devices, b.job.Policy.Specials = true, true
	b.job.Keep = metadata.Keep{Perms: true, Mtime: true, Owner: true, Group: true, Xattrs: true, ACLs: true}
	return b
}

// wantSame checks that the trees are equal, hard links included.
func (b *testbed) wantSame(t testing.TB) {
	t.Helper()
	src, dst := b.trees(t, fstest.WithMtimes, fstest.WithRoot, fstest.WithLinks, fstest.WithOwners, fstest.WithXattrs)
	if src != dst {
		t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
	}
}

// wantNothing runs the job again, which must find nothing to do.
func (b *testbed) wantNothing(t testing.TB) {
	t.Helper()
	b.job.DestIsNew = false
	b.mustRun(t)
	if len(b.record.events) > 0 {
		t.Errorf("the second run did %+v", b.record.events)
	}
}

// groups returns a tree of n groups with up to 5 names each, spread over dirs directories, and the number of its
// entries.
func groups(seed uint64, n, dirs int) (tree string, entries int64) {
	r := rand.New(rand.NewPCG(seed, 0))
	var text strings.Builder
	stamp := func() string {
		return time.Unix(1e9+r.Int64N(1e6), 0).UTC().Format(time.RFC3339)
	}
	path := func(name string, i, j int) string {
		return fmt.Sprintf("d%02d/e%d/%s%d.%d", r.IntN(dirs), r.IntN(2), name, i, j)
	}
	for i := range n {
		var first string
		switch r.IntN(10) {
		case 0:
			first = path("link", i, 0)
			fmt.Fprintf(&text, "%s @%s -> t%d\n", first, stamp(), i)
		case 1:
			first = path("fifo", i, 0)
			fmt.Fprintf(&text, "%s 640 @%s (fifo)\n", first, stamp())
		default:
			first = path("file", i, 0)
			fmt.Fprintf(&text, "%s 640 @%s @user.n=%d contents-%d\n", first, stamp(), i, i)
		}
		for j := range r.IntN(5) {
			fmt.Fprintf(&text, "%s (= %s)\n", path("name", i, j+1), first)
		}
	}
	for i := range dirs {
		fmt.Fprintf(&text, "d%02d/ 755 @%s\nd%02d/e0/ 555 @%s\n", i, stamp(), i, stamp())
	}
	return text.String(), int64(n)
}

func TestHardLinks(t *testing.T) {
	for _, threads := range []int{1, 2, 16, 64} {
		for seed := range uint64(5) {
			t.Run(fmt.Sprintf("%d threads, seed %d", threads, seed), func(t *testing.T) {
				tree, entries := groups(seed, 200, 40)
				b := newLinked(t, tree, "")
				b.job.Threads = threads
				b.job.OpenDirs = 4
				before := b.dst.Open() + b.src.Open()
				b.mustRun(t)
				n := b.job.Stats.Totals()
				made := n[report.FilesMade] + n[report.LinksMade] + n[report.SpecialsMade]
				if made-n[report.HardLinked] != entries {
					t.Errorf("%d names made, %d as hard links, of %d entries", made, n[report.HardLinked], entries)
				}
				b.wantNothing(t)
				if open := b.dst.Open() + b.src.Open(); open != before {
					t.Errorf("%d handles are open, before the runs there were %d", open, before)
				}
				b.wantSame(t)
			})
		}
	}
}

func TestHardLinksOfCurrentFiles(t *testing.T) {
	src := `
		a 644 @2001-01-01T00:00:00Z one
		b (= a)
		d/c (= a)
		d/x 644 @2001-01-01T00:00:00Z other
		e/y (= d/x)
	`
	tests := []struct{ name, dst string }{
		{"all apart", `
			a 644 @2001-01-01T00:00:00Z one
			b 644 @2001-01-01T00:00:00Z one
			d/c 644 @2001-01-01T00:00:00Z one
			d/x 644 @2001-01-01T00:00:00Z other
			e/y 644 @2001-01-01T00:00:00Z other`},
		{"one group too large", `
			a 644 @2001-01-01T00:00:00Z one
			b (= a)
			d/c (= a)
			d/x (= a)
			e/y (= a)`},
		{"stale", `
			a 644 @2000-01-01T00:00:00Z old
			b (= a)
			d/c (= a)`},
		{"other types", `
			a -> b
			b/ 755
			d/c 644 (fifo)
			d/x 600 zzz
			e/y -> d`},
	}
	for _, tt := range tests {
		for _, threads := range []int{1, 8} {
			t.Run(fmt.Sprint(tt.name, threads), func(t *testing.T) {
				b := newLinked(t, src, tt.dst)
				b.job.Threads = threads
				b.mustRun(t)
				b.wantSame(t)
				b.wantNothing(t)
			})
		}
	}
}

// TestHardLinksListedMoreOftenThanTheyAre has names that are found twice, so that a group is complete before all of them
// are made.
func TestHardLinksListedMoreOftenThanTheyAre(t *testing.T) {
	tree, _ := groups(1, 300, 20)
	for _, threads := range []int{1, 32} {
		b := newLinked(t, tree, "")
		b.job.Threads, b.job.OpenDirs = threads, 4
		whole := b.job.Sources[0]
		var names []string
		if err := whole.Dir.ReadDir(func(es []vfs.Entry) error {
			for _, e := range es {
				names = append(names, e.Name)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		// The same again, next to the first copy.
		b.job.Sources = append(b.job.Sources, source.Tree{Dir: whole.Dir, Label: "SRC", Into: "again"})
		b.job.Sources[0].Names = names
		b.mustRun(t)
		if n := b.job.Stats.Totals(); n[report.FilesCopied] != countFiles(tree) {
			t.Errorf("%d files copied, want %d", n[report.FilesCopied], countFiles(tree))
		}
	}
}

// countFiles returns how often the files of a tree of groups are copied if each name is found twice: files with
// several names once.
func countFiles(tree string) (n int64) {
	for line := range strings.Lines(tree) {
		name, _, _ := strings.Cut(line, " ")
		switch {
		case !strings.Contains(line, " contents-"):
		case strings.Contains(tree, "(= "+name+")"):
			n++
		default:
			n += 2
		}
	}
	return n
}

func TestHardLinksThatArePutOff(t *testing.T) {
	for _, threads := range []int{1, 8} {
		b := newLinked(t, "a 644 @2001-01-01T00:00:00Z x\nb (= a)\nc (= a)\n", "a 644 @2001-01-01T00:00:00Z x\nb/k 644 x\nc/k 644 x\n")
		b.job.Threads = threads
		b.job.Delete = plan.Delete{On: true, Max: &plan.Limit{N: 100}}
		b.mustRun(t)
		b.wantSame(t)
	}
}

func TestHardLinksOfNewerFiles(t *testing.T) {
	b := newLinked(t, "a 644 @2001-01-01T00:00:00Z x\nb (= a)\n", "a 644 @2050-01-01T00:00:00Z precious\n")
	b.job.Policy.Update = true
	b.mustRun(t)
	b.wantTree(t, "a 644 precious\nb 644 x\n")
}

// TestFilesThatChangeStayInTheSource changes a file with two names while it is copied: neither name may be removed from the
// source.
func TestFilesThatChangeStayInTheSource(t *testing.T) {
	b := newLinked(t, "a 644 @2001-01-01T00:00:00Z x\nb (= a)\n", "z 644 x\n")
	b.job.Threads, b.job.RemoveSource = 1, true
	plain := b.job.Sources[0].Dir
	b.job.Sources[0].Dir = faultfs.New(plain, func(op, name string) error {
		if op == "read" {
			return vfs.Chtimes(vfs.In(plain, name), time.Time{}, time.Unix(1e9, 0))
		}
		return nil
	})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if src, _ := b.trees(t, fstest.WithLinks); src != flush("a 644 x\nb (= a)\n") {
		t.Errorf("the source has\n%s", src)
	}
}

// TestInterruptOpensNoDirectoriesThatWait interrupts a run while many new directories wait for a file that is copied
// elsewhere.
func TestInterruptOpensNoDirectoriesThatWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tree := "a/lead 644 x\n"
		for i := range 20 {
			tree += fmt.Sprintf("d%d/name (= a/lead)\n", i)
		}
		b := newLinked(t, tree, "")
		b.job.Threads, b.job.OpenDirs = 2, 1
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		opened := 0
		hook := func(op, name string) error {
			switch {
			case op == "read" && ctx.Err() == nil: // the contents of the file
				time.Sleep(time.Minute) // until the other worker has nothing to do
				stop()
			case ctx.Err() != nil && op == "opendir":
				opened++
			}
			return nil
		}
		b.job.Sources[0].Dir, b.job.Dest = faultfs.New(b.job.Sources[0].Dir, hook), faultfs.New(b.job.Dest, hook)
		if err := b.run(ctx); err == nil {
			t.Error("the run was not interrupted")
		}
		if opened > 0 {
			t.Errorf("%d directories were opened after the interrupt", opened)
		}
	})
}
