package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/vfstest"
)

// newSync returns a job that syncs one tree with another, as psync sync does.
func newSync(t testing.TB, src, dst string) *testbed {
	t.Helper()
	b := newTestbed(t, src, dst)
	b.job.DestIsNew = false
	b.job.Policy.Sync = true
	b.job.Keep = metadata.Keep{Modes: true, Mtime: true}
	return b
}

// told returns all events with what they say, sorted.
func (r *record) told() []string {
	var lines []string
	for _, e := range r.events {
		lines = append(lines, fmt.Sprintf("%s size %d diff %b dir %v", r.line(e), e.Size, e.Diff, e.IsDir))
	}
	slices.Sort(lines)
	return lines
}

// line returns an event as lines does.
func (r *record) line(e report.Event) string {
	return (&record{events: []report.Event{e}}).lines(e.Kind)[0]
}

// wantTree checks what the destination holds: lines as of vfstest.Tree.
func (b *testbed) wantTree(t testing.TB, want string, opts ...vfstest.TreeOption) {
	t.Helper()
	_, got := b.trees(t, opts...)
	if want = flush(want); got != want {
		t.Errorf("destination:\n%s\nwant:\n%s", got, want)
	}
}

// wantTold checks the events of some kinds: lines as of record.lines.
func (b *testbed) wantTold(t testing.TB, want []string, kinds ...report.Kind) {
	t.Helper()
	if got := b.record.lines(kinds...); !slices.Equal(got, want) {
		t.Errorf("told %q, want %q", got, want)
	}
}

// flush takes the indentation and the empty lines away.
func flush(tree string) string {
	var out strings.Builder
	for line := range strings.Lines(tree) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// A tallyOps counts operations by their names.
type tallyOps struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *tallyOps) hook(op, _ string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = make(map[string]int)
	}
	c.n[op]++
	return nil
}

// changing returns those that change something.
func (c *tallyOps) changing() map[string]int {
	changing := maps.Clone(c.n)
	maps.DeleteFunc(changing, func(op string, _ int) bool { return !vfstest.Changing(op) })
	return changing
}

// before calls f each time that op is about to be done on name.
func before(d vfs.Dir, op, name string, f func()) vfs.Dir {
	return vfstest.NewFaulty(d, func(o, n string) error {
		if o == op && n == name {
			f()
		}
		return nil
	})
}

// writable is the sample without read-only directories.
var writable = strings.NewReplacer("./ 750", "./ 755", "read-only/ 555", "read-only/ 755", "read-only/sub/ 500", "read-only/sub/ 700").Replace(sample)

func TestSyncMakesTreesEqual(t *testing.T) {
	b := newSync(t, plainRoot, `
		a/f 600 @2001-01-01T00:00:00Z old
		a/link -> elsewhere
		a/b 644 in the way
		read-only/ 555
		read-only/sub/ 755
	`)
	b.mustRun(t)
	b.wantEqual(t)
}

func TestSecondSyncDoesNothing(t *testing.T) {
	for _, deletes := range []bool{false, true} {
		t.Run(fmt.Sprintf("delete %v", deletes), func(t *testing.T) {
			b := newSync(t, writable, "")
			b.job.Delete.On = deletes
			b.mustRun(t)
			var ops tallyOps
			b.job.Dest = vfstest.NewFaulty(b.job.Dest, ops.hook)
			b.mustRun(t)
			if got := b.record.told(); got != nil {
				t.Errorf("told %q", got)
			}
			if changing := ops.changing(); len(changing) > 0 {
				t.Errorf("changing operations: %v", changing)
			}
		})
	}
}

// TestSecondSyncLeavesReadOnlyDirectoriesAlone is about those that are not writable
// to their owner, but hold nothing that would have to be written.
func TestSecondSyncLeavesReadOnlyDirectoriesAlone(t *testing.T) {
	b := newSync(t, sample, "")
	b.mustRun(t)
	var ops tallyOps
	b.job.Dest = vfstest.NewFaulty(b.job.Dest, ops.hook)
	b.mustRun(t)
	if changing := ops.changing(); len(changing) > 0 {
		t.Errorf("changing operations: %v", changing)
	}
}

// perSide returns the operations on the source and on the destination that 20
// more entries take, made by line from a number.
func perSide(t *testing.T, deletes bool, line func(i int) string) (src, dst map[string]int) {
	t.Helper()
	count := func(n int) (map[string]int, map[string]int) {
		tree := "./ 755 @2001-01-01T00:00:00Z\nd/ 755 @2001-01-01T00:00:00Z\n"
		for i := range n {
			tree += "d/" + line(i) + "\n"
		}
		b := newSync(t, tree, tree)
		b.job.Threads = 1
		b.job.Delete.On = deletes
		var src, dst tallyOps
		b.job.Sources[0].Dir = vfstest.NewFaulty(b.job.Sources[0].Dir, src.hook)
		b.job.Dest = vfstest.NewFaulty(b.job.Dest, dst.hook)
		b.mustRun(t)
		if got := b.record.told(); got != nil {
			t.Fatalf("told %q, want equal trees", got)
		}
		return src.n, dst.n
	}
	fewSrc, fewDst := count(10)
	src, dst = count(30)
	less := func(n, few map[string]int) {
		for op := range n {
			n[op] -= few[op]
		}
		maps.DeleteFunc(n, func(_ string, n int) bool { return n == 0 })
	}
	less(src, fewSrc)
	less(dst, fewDst)
	return src, dst
}

// TestOperationsPerCurrentEntry counts what entries cost in which nothing has changed.
func TestOperationsPerCurrentEntry(t *testing.T) {
	ops := func(words string) map[string]int {
		n := make(map[string]int)
		for _, op := range strings.Fields(words) {
			n[op] += 20
		}
		return n
	}
	tests := []struct {
		name     string
		deletes  bool
		line     string
		src, dst string
	}{
		{"file", false, "f%d 644 @2001-01-01T00:00:00Z x", "lstat", "lstat"},
		{"file, deletes", true, "f%d 644 @2001-01-01T00:00:00Z x", "lstat", "lstat"},
		{"link", false, "l%d @2001-01-01T00:00:00Z -> x", "lstat readlink", "lstat readlink"},
		{"directory", false, "d%d/ 755 @2001-01-01T00:00:00Z", "opendir lstat readdir close", "lstat opendir lstat close"},
		{"directory, deletes", true, "d%d/ 755 @2001-01-01T00:00:00Z", "opendir lstat readdir close", "lstat opendir lstat readdir close"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			src, dst := perSide(t, tt.deletes, func(i int) string { return fmt.Sprintf(tt.line, i) })
			if !maps.Equal(src, ops(tt.src)) {
				t.Errorf("20 more took %v of the source, want %v", src, ops(tt.src))
			}
			if !maps.Equal(dst, ops(tt.dst)) {
				t.Errorf("20 more took %v of the destination, want %v", dst, ops(tt.dst))
			}
		})
	}
}

// TestSyncOfOneEntry says what becomes of an entry that differs in one way.
func TestSyncOfOneEntry(t *testing.T) {
	const at = "@2001-02-03T04:05:06Z"
	tests := []struct {
		name     string
		src, dst string
		told     string // what is told, and the differences
		diff     report.Diff
	}{
		{"equal", "e 644 " + at + " x", "e 644 " + at + " x", "", 0},
		{"size", "e 644 " + at + " xx", "e 644 " + at + " x", "replace e", report.DiffSize},
		{"older", "e 644 " + at + " x", "e 644 @2002-01-01T00:00:00Z y", "replace e", report.DiffMtime},
		{"newer", "e 644 " + at + " x", "e 644 @2000-01-01T00:00:00Z y", "replace e", report.DiffMtime},
		{"contents alone", "e 644 " + at + " x", "e 644 " + at + " y", "", 0},
		{"mode", "e 600 " + at + " x", "e 644 " + at + " x", "attrs e", report.DiffPerms},
		{"mode and size", "e 600 " + at + " xx", "e 644 " + at + " x", "replace e", report.DiffPerms | report.DiffSize},
		{"missing", "e 644 " + at + " x", "", "copy e", report.DiffNew},
		{"file over link", "e 644 " + at + " x", "e " + at + " -> x", "replace e", report.DiffNew},
		{"file over empty directory", "e 644 " + at + " x", "e/", "replace e", report.DiffNew},
		{"equal link", "e " + at + " -> x", "e " + at + " -> x", "", 0},
		{"target", "e " + at + " -> x", "e " + at + " -> y", "replace e", report.DiffContents},
		{"time of a link", "e " + at + " -> x", "e @2000-01-01T00:00:00Z -> x", "attrs e", report.DiffMtime},
		{"link over file", "e " + at + " -> x", "e 644 " + at + " x", "replace e", report.DiffNew},
		{"missing link", "e " + at + " -> x", "", "symlink e", report.DiffNew},
		{"equal directory", "e/ 755 " + at, "e/ 755 " + at, "", 0},
		{"mode of a directory", "e/ 700 " + at, "e/ 755 " + at, "attrs e", report.DiffPerms},
		{"time of a directory", "e/ 755 " + at, "e/ 755 @2000-01-01T00:00:00Z", "attrs e", report.DiffMtime},
		{"missing directory", "e/ 755 " + at, "", "mkdir e", report.DiffNew},
		{"directory over file", "e/ 755 " + at, "e 644 " + at + " x", "mkdir e", report.DiffNew},
		{"directory over link", "e/ 755 " + at, "e " + at + " -> .", "mkdir e", report.DiffNew},
	}
	for _, tt := range tests {
		for _, dryRun := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, dry run %v", tt.name, dryRun), func(t *testing.T) {
				root := "./ 755 @2010-01-01T00:00:00Z\n"
				b := newSync(t, root+tt.src, root+tt.dst)
				b.job.DryRun = dryRun
				b.mustRun(t)
				var told string
				var diff report.Diff
				for _, e := range b.record.events {
					if e.Path() != "." {
						told += b.record.line(e)
						diff |= e.Diff
					}
				}
				if told != tt.told || diff != tt.diff {
					t.Errorf("told %q, differences %b; want %q, %b", told, diff, tt.told, tt.diff)
				}
				if !dryRun && tt.name != "contents alone" {
					b.wantEqual(t)
				}
			})
		}
	}
}

func TestAttributesAloneAreSetWithoutCopying(t *testing.T) {
	const tree = "./ 755 @2001-01-01T00:00:00Z\nf 640 @2001-01-01T00:00:00Z x\nl @2001-01-01T00:00:00Z -> x\nd/ 750 @2001-01-01T00:00:00Z\n"
	b := newSync(t, tree, strings.NewReplacer("640", "600", "750", "700", "l @2001", "l @2002").Replace(tree))
	var ops tallyOps
	b.job.Dest = vfstest.NewFaulty(b.job.Dest, ops.hook)
	b.mustRun(t)
	b.wantEqual(t)
	if want := map[string]int{"chmod": 2, "chtimes": 1}; !maps.Equal(ops.changing(), want) {
		t.Errorf("changing operations %v, want %v", ops.changing(), want)
	}
	if n := b.job.Stats.Totals()[report.AttrsSet]; n != 3 {
		t.Errorf("%d entries counted, want 3", n)
	}
}

func TestOwnersAloneAreSet(t *testing.T) {
	const tree = "./ 755 @2001-01-01T00:00:00Z\nf 640 @2001-01-01T00:00:00Z x\n"
	b := newSync(t, tree, tree)
	b.job.Keep.Owner, b.job.Keep.Group = true, true
	if err := b.job.Sources[0].Dir.Lchown("f", 5, 6); err != nil {
		t.Fatal(err)
	}
	b.mustRun(t)
	b.wantTold(t, []string{"attrs f"}, report.SetAttr, report.Replace)
	if diff := b.record.events[0].Diff; diff != report.DiffOwner|report.DiffGroup {
		t.Errorf("differences %b, want owner and group", diff)
	}
	if attr, err := b.job.Dest.Lstat("f"); err != nil || attr.UID != 5 || attr.GID != 6 {
		t.Errorf("owner %d:%d, %v; want 5:6", attr.UID, attr.GID, err)
	}
}

func TestChecksum(t *testing.T) {
	const old, young = "@2001-01-01T00:00:00Z", "@2002-01-01T00:00:00Z"
	tests := []struct {
		name     string
		src, dst string
		faulty   string // an operation on the destination that fails
		told     []string
	}{
		{"all equal", "f 644 " + old + " x", "f 644 " + old + " x", "", nil},
		{"contents equal, time not", "f 644 " + old + " x", "f 644 " + young + " x", "", []string{"attrs f"}},
		{"contents differ, time equal", "f 644 " + old + " x", "f 644 " + old + " y", "", []string{"replace f"}},
		{"sizes differ", "f 644 " + old + " x", "f 644 " + old + " xx", "", []string{"replace f"}},
		{"both empty", "f 644 " + old, "f 644 " + old, "", nil},
		{"the destination cannot be opened", "f 644 " + old + " x", "f 644 " + old + " x", "open f", []string{"replace f"}},
		{"the destination cannot be read", "f 644 " + old + " x", "f 644 " + old + " x", "read f", []string{"replace f"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSync(t, "./ 755 "+old+"\n"+tt.src, "./ 755 "+old+"\n"+tt.dst)
			b.job.Policy.Checksum = true
			plain := b.job.Dest
			b.job.Dest = vfstest.NewFaulty(plain, fails(map[string]error{tt.faulty: syscall.EIO}))
			b.mustRun(t)
			b.wantTold(t, tt.told, report.Copy, report.Replace, report.SetAttr)
			b.wantEqual(t)
		})
	}
}

func TestChecksumTellsWhatCannotBeReadInTheSource(t *testing.T) {
	const tree = "f 644 @2001-01-01T00:00:00Z x\n"
	for _, op := range []string{"followfile f", "open f", "read f"} {
		b := newSync(t, tree, tree)
		b.job.Policy.Checksum = true
		b.job.Sources[0].Dir = vfstest.NewFaulty(b.job.Sources[0].Dir, fails(map[string]error{op: syscall.EIO}))
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if op == "followfile f" {
			b.wantTold(t, nil, report.Fail) // only links are followed
			continue
		}
		b.wantTold(t, []string{"fail SRC/f"}, report.Fail, report.Replace)
	}
}

// TestDirectoriesKeepTheirTimes removes and replaces entries of directories, whose
// times must not tell of it. Whole subtrees may go long after the rest is done.
func TestDirectoriesKeepTheirTimes(t *testing.T) {
	var doomed strings.Builder
	for i := range 5 {
		fmt.Fprintf(&doomed, "a/x%d/y/z/f 644 x\na/b/x%d/f 644 x\n", i, i)
	}
	for _, threads := range []int{1, 16} {
		for _, limit := range []*Limit{nil, {N: 1000}} {
			t.Run(fmt.Sprintf("%d threads, limit %v", threads, limit != nil), func(t *testing.T) {
				b := newSync(t, plainRoot, doomed.String()+"a/f 644 other\na/b/c/d/gone 644 x\nread-only/ 555\nread-only/gone/f 644 x\nempty/gone -> x\n")
				b.job.Threads = threads
				b.job.Delete = Delete{On: true, Max: limit}
				b.mustRun(t)
				b.wantEqual(t)
				b.mustRun(t)
				if got := b.record.told(); got != nil {
					t.Errorf("the second run tells %q", got)
				}
			})
		}
	}
}

func TestReadOnlyDirectoriesLoseWhatIsExtraneous(t *testing.T) {
	const src = "./ 755 @2001-01-01T00:00:00Z\nd/ 555 @2001-01-01T00:00:00Z\nd/f 444 @2001-01-01T00:00:00Z x\n"
	for _, threads := range []int{1, 16} {
		b := newSync(t, src, src+"d/gone 444 x\nd/tree/ 555\nd/tree/sub/ 500\nd/tree/sub/f 400 x\nd/ 555 @2001-01-01T00:00:00Z\n")
		b.job.Threads, b.job.User.UID = threads, 1000
		b.job.Delete.On = true
		b.mustRun(t)
		b.wantEqual(t)
		b.wantTold(t, []string{"delete d/gone", "delete d/tree", "delete d/tree/sub", "delete d/tree/sub/f"}, report.Delete)
	}
}

// TestSourceThatChangesIsToldAndCopiedAgain changes a file while it is read.
func TestSourceThatChangesIsToldAndCopiedAgain(t *testing.T) {
	tests := []struct {
		name   string
		dst    string
		set    func(*Options)
		change string // what the source becomes
	}{
		{"new file", "", nil, "f 644 @2001-01-01T00:00:01Z new"},
		{"replaced file", "f 644 before", nil, "f 644 @2001-01-01T00:00:01Z new"},
		{"in place", "f 644 before", func(o *Options) { o.InPlace = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"size only", "", func(o *Options) { o.Policy.SizeOnly = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"update", "", func(o *Options) { o.Policy.Update = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"ignore existing", "", func(o *Options) { o.Policy.IgnoreExisting = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"checksum", "f 644 bef", func(o *Options) { o.Policy.Checksum = true }, "f 644 @2001-01-01T00:00:01Z new"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSync(t, "f 644 @2001-01-01T00:00:00Z old\n", tt.dst)
			if tt.set != nil {
				tt.set(&b.job.Options)
			}
			plain := b.job.Sources[0].Dir
			var once sync.Once
			b.job.Dest = vfstest.NewFaulty(b.job.Dest, func(op, _ string) error {
				if op == "write" {
					once.Do(func() { overwrite(t, plain, "f", tt.change) })
				}
				return nil
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantTold(t, []string{"fail SRC/f"}, report.Fail)
			if attr, err := b.job.Dest.Lstat("f"); err == nil && !attr.Mtime.Equal(time.Unix(0, 0)) {
				t.Errorf("time of the copy %v, want 1970", attr.Mtime)
			}
			b.job.Sources[0].Dir = plain
			b.mustRun(t)
			b.wantEqual(t)
		})
	}
}

// overwrite changes a file without making a new one, as its own writer does.
func overwrite(t testing.TB, d vfs.Dir, name, line string) {
	t.Helper()
	scratch := vfstest.NewMem().Root()
	defer scratch.Close()
	vfstest.Fill(t, scratch, line)
	attr, err := scratch.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	from, err := scratch.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	data := make([]byte, attr.Size)
	if _, err := from.ReadAt(data, 0); err != nil && attr.Size > 0 && !strings.Contains(err.Error(), "EOF") {
		t.Fatal(err)
	}
	f, err := d.(vfs.Rewriter).Rewrite(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(data, 0)
	if err := cmp.Or(err, f.Truncate(attr.Size), f.Chtimes(time.Time{}, attr.Mtime), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestSourceThatChangesItsKind replaces entries of the source between the moment
// when they are listed and the one when their turn comes.
func TestSourceThatChangesItsKind(t *testing.T) {
	tests := []struct {
		name    string
		src     string
		dst     string
		op      string // the operation before which the entry changes
		becomes string
		told    []string
	}{
		{"file vanishes before it is looked at", "e 644 x", "e 644 old", "lstat", "", []string{"vanish SRC/e"}},
		{"file vanishes before it is opened", "e 644 x", "e 644 old", "open", "", []string{"vanish SRC/e"}},
		{"new file vanishes", "e 644 x", "", "open", "", []string{"vanish SRC/e"}},
		{"file becomes a directory", "e 644 x", "e 644 old", "open", "e/", []string{"fail SRC/e"}},
		{"new file becomes a directory", "e 644 x", "", "open", "e/", []string{"fail SRC/e"}},
		{"file becomes a link", "e 644 x", "e 644 old", "open", "e -> x", []string{"fail SRC/e"}},
		{"link vanishes", "e -> x", "", "readlink", "", []string{"vanish SRC/e"}},
		{"link becomes a file", "e -> x", "", "readlink", "e 644 x", []string{"fail SRC/e"}},
		{"directory vanishes", "e/f 644 x", "e/g 644 old", "opendir", "", []string{"vanish SRC/e"}},
		{"directory becomes a file", "e/f 644 x", "e/g 644 old", "opendir", "e 644 x", []string{"fail SRC/e"}},
		{"new directory becomes a file", "e/f 644 x", "", "opendir", "e 644 x", []string{"fail SRC/e"}},
		{"directory becomes a link to one", "e/f 644 x", "e/g 644 old", "opendir", "e -> other", []string{"fail SRC/e"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const both = "other/ 755\nz 644 z\n"
			b := newSync(t, tt.src+"\n"+both, tt.dst+"\n"+both)
			b.job.Delete.On = true
			b.job.Threads = 1
			_, old := b.trees(t)
			plain := b.job.Sources[0].Dir
			var once sync.Once
			b.job.Sources[0].Dir = before(plain, tt.op, "e", func() {
				once.Do(func() {
					removeTree(t, plain, "e")
					vfstest.Fill(t, plain, tt.becomes)
				})
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantTold(t, tt.told, report.Fail, report.Vanish)
			if _, got := b.trees(t); strings.Contains(tt.dst, "old") && got != old {
				t.Errorf("destination:\n%s\nwas:\n%s", got, old)
			}
			b.job.Sources[0].Dir = plain
			b.mustRun(t)
			if src, dst := b.trees(t); src != dst {
				t.Errorf("after the next run the destination is\n%s\nwant\n%s", dst, src)
			}
		})
	}
}

// removeTree removes an entry and what is in it.
func removeTree(t testing.TB, d vfs.Dir, name string) {
	t.Helper()
	attr, err := d.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	if !attr.Mode.IsDir() {
		if err := d.Remove(name); err != nil {
			t.Fatal(err)
		}
		return
	}
	sub, err := d.OpenDir(name)
	if err != nil {
		t.Fatal(err)
	}
	defer sub.Close()
	for _, e := range entriesOf(t, sub) {
		removeTree(t, sub, e.Name)
	}
	if err := d.Rmdir(name); err != nil {
		t.Fatal(err)
	}
}

func entriesOf(t testing.TB, d vfs.Dir) []vfs.Entry {
	t.Helper()
	var all []vfs.Entry
	if err := d.ReadDir(func(entries []vfs.Entry) error {
		all = append(all, entries...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestInterruptedSyncIsCompletedByTheNext(t *testing.T) {
	const extra = "a/gone/b/f 644 x\na/gone/f 644 x\na/f 644 old\nread-only/ 555\nread-only/gone/f 644 x\n"
	why := errors.New("interrupted by the test")
	for _, limit := range []*Limit{nil, {N: 1000}} {
		for n := 1; ; n++ {
			ctx, cancel := context.WithCancelCause(t.Context())
			b := newSync(t, plainRoot, extra)
			b.job.Delete = Delete{On: true, Max: limit}
			b.job.Threads = 1 + n%2
			plain := b.job.Dest
			srcOpen, dstOpen := b.src.Open(), b.dst.Open()
			var mu sync.Mutex
			seen, at := 0, ""
			b.job.Dest = vfstest.NewFaulty(plain, func(op, name string) error {
				mu.Lock()
				defer mu.Unlock()
				if seen++; seen == n {
					at = fmt.Sprintf("operation %d (%s %q), limit %v", n, op, name, limit != nil)
					cancel(why)
				}
				return nil
			})
			err := b.run(ctx)
			cancel(nil)
			if at == "" {
				break
			}
			if err != nil && !errors.Is(err, why) {
				t.Errorf("%s: Run = %v, want the cause", at, err)
			}
			if s, d := b.src.Open(), b.dst.Open(); s != srcOpen || d != dstOpen {
				t.Errorf("%s: %d and %d handles stay open", at, s-srcOpen, d-dstOpen)
			}
			if bad := b.record.lines(report.Fail, report.Vanish, report.Unkept); bad != nil {
				t.Errorf("%s: the interrupt was told as a failure: %q", at, bad)
			}
			b.job.Dest = plain
			b.mustRun(t)
			b.wantEqual(t)
		}
	}
}

// TestUpdateLooksAtTimesOfFilesOnly is rsync's rule: an entry of another type is
// replaced whatever its time.
func TestUpdateLooksAtTimesOfFilesOnly(t *testing.T) {
	const old, young = "@2001-01-01T00:00:00Z", "@2002-01-01T00:00:00Z"
	tests := []struct {
		name, src, dst string
		told           []string
	}{
		{"newer file", "e 644 " + old + " x", "e 644 " + young + " y", nil},
		{"older file", "e 644 " + young + " x", "e 644 " + old + " y", []string{"replace e"}},
		{"file of the same time, other size", "e 644 " + old + " x", "e 644 " + old + " yy", []string{"replace e"}},
		{"newer link in the way of a file", "e 644 " + old + " x", "e " + young + " -> y", []string{"replace e"}},
		{"newer empty directory in the way of a file", "e 644 " + old + " x", "e/ 755 " + young, []string{"replace e"}},
		{"newer file in the way of a link", "e " + old + " -> x", "e 644 " + young + " y", []string{"replace e"}},
		{"newer file in the way of a directory", "e/ 755 " + old, "e 644 " + young + " y", []string{"mkdir e"}},
		{"nothing there", "e 644 " + old + " x", "", []string{"copy e"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSync(t, tt.src, tt.dst)
			b.job.Policy.Update = true
			b.mustRun(t)
			b.wantTold(t, tt.told, report.Mkdir, report.Copy, report.Replace, report.Symlink)
		})
	}
}

func TestExistingAndIgnoreExisting(t *testing.T) {
	const (
		src = "both 644 @2001-01-01T00:00:00Z new\nnew 644 x\nl -> x\nd/both 644 @2001-01-01T00:00:00Z new\nd/new 644 x\nd2/f 644 x\n"
		dst = "both 644 old\nd/both 644 old\n"
	)
	tests := []struct {
		name   string
		policy plan.Policy
		told   []string
	}{
		{"existing", plan.Policy{Sync: true, Existing: true}, []string{"replace both", "replace d/both"}},
		{"ignore existing", plan.Policy{Sync: true, IgnoreExisting: true}, []string{"copy d/new", "copy d2/f", "copy new", "mkdir d2", "symlink l"}},
		{"both", plan.Policy{Sync: true, Existing: true, IgnoreExisting: true}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSync(t, src, dst)
			b.job.Policy = tt.policy
			b.mustRun(t)
			b.wantTold(t, tt.told, report.Mkdir, report.Copy, report.Replace, report.Symlink)
		})
	}
}
