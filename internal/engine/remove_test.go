package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/walk"
)

// A removalTestbed consists of a file system and what a removal in it reported.
type removalTestbed struct {
	mem    *memfs.FS
	root   vfs.Dir
	job    Job
	record *record
}

// newRemoval returns a job that removes the entry called extra from a tree.
func newRemoval(t testing.TB, tree string) *removalTestbed {
	t.Helper()
	b := &removalTestbed{mem: memfs.New()}
	b.root = b.mem.Root()
	t.Cleanup(func() { b.root.Close() })
	fstest.Fill(t, b.root, tree)
	b.job = Job{Workers: walk.NewSize(2, 2), Sources: []source.Tree{{Dir: b.root, Label: "", Names: []string{"extra"}}}}
	return b
}

func (b *removalTestbed) run(ctx context.Context) error {
	b.record = new(record)
	b.job.Sink, b.job.Stats, b.job.AlwaysShare = b.record, new(report.Stats), alwaysShare
	return RemoveTrees(ctx, b.job)
}

func (b *removalTestbed) mustRun(t testing.TB) {
	t.Helper()
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (b *removalTestbed) wantTree(t testing.TB, want string) {
	t.Helper()
	if got := fstest.Tree(t, b.root); got != flush(want) {
		t.Errorf("left:\n%s\nwant:\n%s", got, flush(want))
	}
}

func (b *removalTestbed) wantEvents(t testing.TB, want []string, kinds ...report.Kind) {
	t.Helper()
	if got := b.record.lines(kinds...); !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

// bushy is a wide and deep tree of files, links and directories.
func bushy() (tree string, entries int) {
	var out strings.Builder
	for i := range 6 {
		for j := range 5 {
			fmt.Fprintf(&out, "extra/d%d/e%d/f 644 x\nextra/d%d/e%d/g/h/l -> x\n", i, j, i, j)
			entries += 5 // e, f, g, h, l
		}
		entries++ // d
	}
	out.WriteString("extra/" + strings.Repeat("deep/", 50) + "f 400 bottom\n")
	return out.String(), entries + 51 + 1
}

func TestRemove(t *testing.T) {
	tree, entries := bushy()
	for _, threads := range []int{1, 16} {
		for _, open := range []int{1, 3, 0} {
			t.Run(fmt.Sprintf("%d threads, %d open", threads, open), func(t *testing.T) {
				b := newRemoval(t, tree+"other/f 644 x\n")
				b.job.Workers, b.job.OpenDirs = walk.NewSize(threads, threads), open
				before := b.mem.Open()
				b.mustRun(t)
				if after := b.mem.Open(); after != before {
					t.Errorf("%d handles stay open", after-before)
				}
				b.wantTree(t, "other/ 755\nother/f 644 x\n")
				b.wantEvents(t, nil, report.Fail, report.Vanish)
				if n := len(b.record.lines(report.Delete)); n != entries {
					t.Errorf("%d entries reported, want %d", n, entries)
				}
				got := b.job.Stats.Totals()
				if n := got[report.FilesDeleted] + got[report.DirsDeleted] + got[report.LinksDeleted]; n != int64(entries) {
					t.Errorf("%d entries counted, want %d", n, entries)
				}
			})
		}
	}
}

func TestRemoveFollowsNoLink(t *testing.T) {
	b := newRemoval(t, "extra/l -> ../precious\nprecious/f 644 x\n")
	b.mustRun(t)
	b.wantTree(t, "precious/ 755\nprecious/f 644 x\n")
}

// TestRemoveOperands has operands of every kind, in several directories.
func TestRemoveOperands(t *testing.T) {
	b := newRemoval(t, "f 644 x\nl -> d\nd/f 644 x\nempty/ 755\nin/d/f 644 x\nin/stays 644 x\n")
	in, err := b.root.OpenDir("in", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	fstest.Fill(t, b.root, "fifo 644 (fifo)")
	b.job.Sources = []source.Tree{{Dir: b.root, Names: []string{"f", "l", "empty"}}, {Dir: in, Label: "in/", Names: []string{"d"}}, {Dir: b.root, Names: []string{"d", "fifo"}}}
	b.mustRun(t)
	b.wantTree(t, "in/ 755\nin/stays 644 x\n")
	b.wantEvents(t, []string{"delete d", "delete d/f", "delete empty", "delete f", "delete fifo", "delete in/d", "delete in/d/f", "delete l"}, report.Delete)
}

func TestDryRunOfARemovalListsContentsFirst(t *testing.T) {
	tree, entries := bushy()
	for _, threads := range []int{1, 16} {
		b := newRemoval(t, tree)
		b.job.Workers, b.job.DryRun = walk.NewSize(threads, threads), true
		before := fstest.Tree(t, b.root, fstest.WithMtimes, fstest.WithRoot)
		b.mustRun(t)
		if after := fstest.Tree(t, b.root, fstest.WithMtimes, fstest.WithRoot); after != before {
			t.Errorf("the dry run changed the tree")
		}
		place := make(map[string]int)
		for i, e := range b.record.events {
			place[e.Path()] = i
		}
		if len(place) != entries {
			t.Errorf("%d entries reported, want %d", len(place), entries)
		}
		for path, i := range place {
			if up, _ := parent(path); up != "" && place[up] < i {
				t.Errorf("%s was reported before %s", up, path)
			}
		}
		planned := b.record.all()
		b.job.DryRun = false
		b.mustRun(t)
		if done := b.record.all(); !slices.Equal(done, planned) {
			t.Errorf("done:\n%q\nplanned:\n%q", done, planned)
		}
	}
}

// TestRemoveGoesOnAfterAFailure keeps one entry, which keeps the directories above it. These are not reported, since
// they could not be removed anyway.
func TestRemoveGoesOnAfterAFailure(t *testing.T) {
	const tree = "extra/a/b/stuck 644 x\nextra/a/b/f 644 x\nextra/a/c/f 644 x\nextra/d/f 644 x\n"
	for _, threads := range []int{1, 16} {
		for _, tt := range []struct{ op, want, reported string }{
			{"remove stuck", "extra/ 755\nextra/a/ 755\nextra/a/b/ 755\nextra/a/b/stuck 644 x\n", "fail extra/a/b/stuck"},
			{"rmdir b", "extra/ 755\nextra/a/ 755\nextra/a/b/ 755\n", "fail extra/a/b"},
			{"opendir b", "extra/ 755\nextra/a/ 755\nextra/a/b/ 755\nextra/a/b/f 644 x\nextra/a/b/stuck 644 x\n", "fail extra/a/b"},
			{"rmdir extra", "extra/ 755\n", "fail extra"},
		} {
			b := newRemoval(t, tree)
			b.job.Workers = walk.NewSize(threads, threads)
			b.job.Sources[0].Dir = faultfs.New(b.root, fails(map[string]error{tt.op: syscall.EACCES}))
			before := b.mem.Open()
			b.mustRun(t)
			if after := b.mem.Open(); after != before {
				t.Errorf("%s: %d handles stay open", tt.op, after-before)
			}
			b.wantTree(t, tt.want)
			b.wantEvents(t, []string{tt.reported}, report.Fail)
		}
	}
}

func TestListingThatFailsKeepsTheDirectory(t *testing.T) {
	b := newRemoval(t, strings.ReplaceAll(many("extra/d", 150), "644 @2001-01-01T00:00:00Z", "644")+"extra/f 644 x\n")
	b.job.Sources[0].Dir = partlyListed{b.root, "extra/d", syscall.EIO}
	b.mustRun(t)
	b.wantEvents(t, []string{"fail extra/d"}, report.Fail)
	if left := fstest.Tree(t, b.root); !strings.HasPrefix(left, "extra/ 755\nextra/d/ 755\nextra/d/f000") || strings.Contains(left, "extra/f ") {
		t.Errorf("left:\n%s", left)
	}
}

// TestEveryInterruptOfARemoval ends a removal at each of its operations.
func TestEveryInterruptOfARemoval(t *testing.T) {
	why := errors.New("interrupted by the test")
	const tree = "extra/a/b/f 644 x\nextra/a/g 644 x\nextra/c/f 644 x\nextra/d/e/f/g/h 644 x\n"
	for _, threads := range []int{1, 16} {
		for n := 1; ; n++ {
			b := newRemoval(t, tree)
			b.job.Workers = walk.NewSize(threads, threads)
			ctx, cancel := context.WithCancelCause(t.Context())
			var mu sync.Mutex
			seen := 0
			b.job.Sources[0].Dir = faultfs.New(b.root, func(op, _ string) error {
				mu.Lock()
				defer mu.Unlock()
				if op == "remove" || op == "rmdir" {
					if seen++; seen == n {
						cancel(why)
					}
				}
				return nil
			})
			before := b.mem.Open()
			err := b.run(ctx)
			cancel(nil)
			if seen < n {
				break
			}
			if !errors.Is(err, why) {
				t.Errorf("removal %d: Remove = %v, want the cause", n, err)
			}
			if after := b.mem.Open(); after != before {
				t.Errorf("removal %d: %d handles stay open", n, after-before)
			}
			b.wantEvents(t, nil, report.Fail, report.Vanish)
			b.job.Sources[0].Dir = b.root
			if _, err := vfs.Lstat(b.root, "extra"); err == nil {
				b.mustRun(t)
				b.wantEvents(t, nil, report.Fail, report.Vanish)
			}
			b.wantTree(t, "")
		}
	}
}

// TestVanishedEntriesAreNoFailure lets another process remove the tree at the same time.
func TestVanishedEntriesAreNoFailure(t *testing.T) {
	for _, op := range []string{"remove", "rmdir", "opendir"} {
		for _, threads := range []int{1, 16} {
			b := newRemoval(t, "extra/a/b/f 644 x\nextra/a/g 644 x\nextra/c/f 644 x\n")
			b.job.Workers = walk.NewSize(threads, threads)
			b.job.Sources[0].Dir = faultfs.New(b.root, func(o, name string) error {
				if o == op && name != "extra" {
					return fs.ErrNotExist // which is true as far as the run can know
				}
				return nil
			})
			b.mustRun(t)
			reported := b.record.lines(report.Fail)
			// The entries still exist, so the topmost directories cannot be removed.
			reported = slices.DeleteFunc(reported, func(line string) bool {
				return slices.Contains([]string{"fail extra", "fail extra/a", "fail extra/a/b", "fail extra/c"}, line)
			})
			if len(reported) > 0 {
				t.Errorf("%s: reported %q", op, reported)
			}
		}
	}
}

func TestDirectoryThatVanishesIsNoFailure(t *testing.T) {
	for _, threads := range []int{1, 16} {
		b := newRemoval(t, "extra/a/b/f 644 x\nextra/c/f 644 x\n")
		b.job.Workers = walk.NewSize(threads, threads)
		var once sync.Once
		b.job.Sources[0].Dir = before(b.root, "opendir", "a", func() {
			once.Do(func() {
				d, err := b.root.OpenDir("extra", vfs.NoFollow)
				if err != nil {
					t.Error(err)
					return
				}
				defer d.Close()
				removeTree(t, d, "a")
			})
		})
		b.mustRun(t)
		b.wantEvents(t, nil, report.Fail, report.Vanish)
		b.wantTree(t, "")
	}
}

// TestReadOnlyVolumeEndsARemoval expects one report of an error that affects all entries.
func TestReadOnlyVolumeEndsARemoval(t *testing.T) {
	for _, tree := range []string{"extra 644 x\n", "extra/ 755\n", "extra/f 644 x\nextra/g 644 x\n", "extra/a/f 644 x\nextra/b/f 644 x\n"} {
		b := newRemoval(t, tree)
		b.job.Workers = walk.NewSize(1, 1)
		b.job.Sources[0].Dir = faultfs.Inject(b.root, "(op remove|rmdir, err EROFS)")
		var fatal *FatalError
		if err := b.run(t.Context()); !errors.As(err, &fatal) {
			t.Errorf("%q: Remove = %v, want a FatalError", tree, err)
		}
		if got := b.record.lines(report.Fail); len(got) != 1 {
			t.Errorf("%q: reported %q, want one failure", tree, got)
		}
	}
}

func TestRemoveStopsAtMounts(t *testing.T) {
	for _, cross := range []bool{false, true} {
		b := newRemoval(t, "extra/mnt/f 644 x\nextra/f 644 x\n")
		b.job.Delete.CrossMounts = cross
		b.job.Sources[0].Dir = elsewhere{b.root, "mnt"}
		b.mustRun(t)
		if cross {
			b.wantTree(t, "")
			continue
		}
		b.wantTree(t, "extra/ 755\nextra/mnt/ 755\nextra/mnt/f 644 x\n")
		b.wantEvents(t, []string{"fail extra/mnt"}, report.Fail)
	}
}

func TestRemoveGrantsNoAccessToDirectories(t *testing.T) {
	b := newRemoval(t, "extra/d/f 644 x\nextra/d/ 555\n")
	var ops opCounter
	b.job.Sources[0].Dir = faultfs.New(b.root, ops.hook)
	b.mustRun(t)
	if ops.n["chmod"] > 0 {
		t.Error("a mode was changed, which rm does not do either")
	}
}

// TestOperationsPerRemoval counts the operations per entry.
func TestOperationsPerRemoval(t *testing.T) {
	count := func(n int, format string) map[string]int {
		b := newRemoval(t, "extra/ 755\n")
		for i := range n {
			fstest.Fill(t, b.root, fmt.Sprintf(format, i))
		}
		b.job.Workers = walk.NewSize(1, 1)
		var ops opCounter
		b.job.Sources[0].Dir = faultfs.New(b.root, ops.hook)
		b.mustRun(t)
		return ops.n
	}
	for _, tt := range []struct {
		name, format string
		want         map[string]int
	}{
		{"file", "extra/f%d 644 x\n", map[string]int{"remove": 1}},
		{"empty directory", "extra/d%d/\n", map[string]int{"rmdir": 1}},
		{"directory", "extra/d%d/f 644 x\n", map[string]int{"opendir": 1, "lstat": 1, "readdir": 1, "remove": 1, "rmdir": 1, "close": 1}},
	} {
		few, many := count(10, tt.format), count(30, tt.format)
		for op := range many {
			if got := many[op] - few[op]; got != 20*tt.want[op] {
				t.Errorf("%s: 20 more took %d of %s, want %d", tt.name, got, op, 20*tt.want[op])
			}
		}
	}
}

// TestEmptyDirectoriesAreRemovedInOneCall counts the directories that are opened: no empty one, unless too many
// non-empty ones come first.
func TestEmptyDirectoriesAreRemovedInOneCall(t *testing.T) {
	for _, tt := range []struct {
		name, tree string
		dryRun     bool
		want       int // directories opened
	}{
		{"empty", "extra/a/\nextra/b/\nextra/c/\nextra/f 644 x\n", false, 1},
		{"locked", "extra/a/ 000\n", false, 1},
		{"not empty", "extra/a/f 644 x\nextra/b/f 644 x\nextra/c/f 644 x\n", false, 4},
		{"empty ones below", "extra/a/b/\nextra/a/c/\n", false, 2},
		{"a dry run", "extra/a/\nextra/b/\n", true, 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newRemoval(t, tt.tree)
			b.job.Workers, b.job.DryRun = walk.NewSize(1, 1), tt.dryRun
			opened := 0
			b.job.Sources[0].Dir = faultfs.New(b.root, func(op, _ string) error {
				if op == "opendir" {
					opened++
				}
				return nil
			})
			b.mustRun(t)
			if opened != tt.want {
				t.Errorf("%d directories were opened, want %d", opened, tt.want)
			}
			if left := fstest.Tree(t, b.root); tt.dryRun != (left != "") {
				t.Errorf("left:\n%s", left)
			}
			totals := b.job.Stats.Totals()
			if n := totals[report.DirsDeleted] + totals[report.FilesDeleted]; int(n) != len(b.record.lines(report.Delete)) {
				t.Errorf("%d were counted, and %q reported", n, b.record.lines(report.Delete))
			}
		})
	}
}
