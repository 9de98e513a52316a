package engine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
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

// all returns all events with their details, sorted.
func (r *record) all() []string {
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

// wantTree checks what the destination holds, in lines as from fstest.Tree.
func (b *testbed) wantTree(t testing.TB, want string, opts ...fstest.TreeOption) {
	t.Helper()
	_, got := b.trees(t, opts...)
	if want = flush(want); got != want {
		t.Errorf("destination:\n%s\nwant:\n%s", got, want)
	}
}

// wantEvents checks the events of some kinds, in lines as from record.lines.
func (b *testbed) wantEvents(t testing.TB, want []string, kinds ...report.Kind) {
	t.Helper()
	if got := b.record.lines(kinds...); !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
}

// flush removes indentation and empty lines.
func flush(tree string) string {
	var out strings.Builder
	for line := range strings.Lines(tree) {
		if line = strings.TrimSpace(line); line != "" {
			out.WriteString(line + "\n")
		}
	}
	return out.String()
}

// An opCounter counts operations by their names.
type opCounter struct {
	mu sync.Mutex
	n  map[string]int
}

func (c *opCounter) hook(op, _ string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.n == nil {
		c.n = make(map[string]int)
	}
	c.n[op]++
	return nil
}

// changing returns the operations that change something.
func (c *opCounter) changing() map[string]int {
	changing := maps.Clone(c.n)
	maps.DeleteFunc(changing, func(op string, _ int) bool { return !faultfs.Changing(op) })
	return changing
}

// before calls f each time before op is done on name.
func before(d vfs.Dir, op, name string, f func()) vfs.Dir {
	return faultfs.New(d, func(o, n string) error {
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
			var ops opCounter
			b.job.Dest = faultfs.New(b.job.Dest, ops.hook)
			b.mustRun(t)
			if got := b.record.all(); got != nil {
				t.Errorf("reported %q", got)
			}
			if changing := ops.changing(); len(changing) > 0 {
				t.Errorf("changing operations: %v", changing)
			}
		})
	}
}

// TestSecondSyncLeavesReadOnlyDirectoriesAlone checks directories that their owner may not write to, but that hold
// nothing to write.
func TestSecondSyncLeavesReadOnlyDirectoriesAlone(t *testing.T) {
	b := newSync(t, sample, "")
	b.mustRun(t)
	var ops opCounter
	b.job.Dest = faultfs.New(b.job.Dest, ops.hook)
	b.mustRun(t)
	if changing := ops.changing(); len(changing) > 0 {
		t.Errorf("changing operations: %v", changing)
	}
}

// perSide returns the operations on the source and on the destination that 20 more entries take; line makes an entry
// from a number.
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
		var src, dst opCounter
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, src.hook)
		b.job.Dest = faultfs.New(b.job.Dest, dst.hook)
		b.mustRun(t)
		if got := b.record.all(); got != nil {
			t.Fatalf("reported %q, want equal trees", got)
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

// TestOperationsPerCurrentEntry counts the operations that unchanged entries take.
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

// TestSyncOfOneEntry checks what happens to an entry that differs in one way.
func TestSyncOfOneEntry(t *testing.T) {
	const at = "@2001-02-03T04:05:06Z"
	tests := []struct {
		name     string
		src, dst string
		reported string // what is reported, and the differences
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
				var reported string
				var diff report.Diff
				for _, e := range b.record.events {
					if e.Path() != "." {
						reported += b.record.line(e)
						diff |= e.Diff
					}
				}
				if reported != tt.reported || diff != tt.diff {
					t.Errorf("reported %q, differences %b; want %q, %b", reported, diff, tt.reported, tt.diff)
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
	var ops opCounter
	b.job.Dest = faultfs.New(b.job.Dest, ops.hook)
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
	if err := vfs.Chown(vfs.In(b.job.Sources[0].Dir, "f"), 5, 6); err != nil {
		t.Fatal(err)
	}
	b.mustRun(t)
	b.wantEvents(t, []string{"attrs f"}, report.SetAttr, report.Replace)
	if diff := b.record.events[0].Diff; diff != report.DiffOwner|report.DiffGroup {
		t.Errorf("differences %b, want owner and group", diff)
	}
	if attr, err := vfs.Lstat(b.job.Dest, "f"); err != nil || attr.UID != 5 || attr.GID != 6 {
		t.Errorf("owner %d:%d, %v; want 5:6", attr.UID, attr.GID, err)
	}
}

func TestChecksum(t *testing.T) {
	const old, young = "@2001-01-01T00:00:00Z", "@2002-01-01T00:00:00Z"
	tests := []struct {
		name     string
		src, dst string
		faulty   string // an operation on the destination that fails
		reported []string
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
			b.job.Dest = faultfs.New(plain, fails(map[string]error{tt.faulty: syscall.EIO}))
			b.mustRun(t)
			b.wantEvents(t, tt.reported, report.Copy, report.Replace, report.SetAttr)
			b.wantEqual(t)
		})
	}
}

func TestChecksumReportsWhatCannotBeReadInTheSource(t *testing.T) {
	const tree = "f 644 @2001-01-01T00:00:00Z x\n"
	for _, op := range []string{"followfile f", "open f", "read f"} {
		b := newSync(t, tree, tree)
		b.job.Policy.Checksum = true
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, fails(map[string]error{op: syscall.EIO}))
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if op == "followfile f" {
			b.wantEvents(t, nil, report.Fail) // only links are followed
			continue
		}
		b.wantEvents(t, []string{"fail SRC/f"}, report.Fail, report.Replace)
	}
}

// TestDirectoriesKeepTheirTimes removes and replaces entries of directories, whose times must not show it. Whole
// subtrees may be removed long after the rest is done.
func TestDirectoriesKeepTheirTimes(t *testing.T) {
	var extraneous strings.Builder
	for i := range 5 {
		fmt.Fprintf(&extraneous, "a/x%d/y/z/f 644 x\na/b/x%d/f 644 x\n", i, i)
	}
	for _, threads := range []int{1, 16} {
		for _, limit := range []*plan.Limit{nil, {N: 1000}} {
			t.Run(fmt.Sprintf("%d threads, limit %v", threads, limit != nil), func(t *testing.T) {
				b := newSync(t, plainRoot, extraneous.String()+"a/f 644 other\na/b/c/d/gone 644 x\nread-only/ 555\nread-only/gone/f 644 x\nempty/gone -> x\n")
				b.job.Threads = threads
				b.job.Delete = plan.Delete{On: true, Max: limit}
				b.mustRun(t)
				b.wantEqual(t)
				b.mustRun(t)
				if got := b.record.all(); got != nil {
					t.Errorf("the second run reports %q", got)
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
		b.wantEvents(t, []string{"delete d/gone", "delete d/tree", "delete d/tree/sub", "delete d/tree/sub/f"}, report.Delete)
	}
}

// TestUpdateLooksAtTimesOfFilesOnly checks rsync's rule: an entry of another type is replaced whatever its time.
func TestUpdateLooksAtTimesOfFilesOnly(t *testing.T) {
	const old, young = "@2001-01-01T00:00:00Z", "@2002-01-01T00:00:00Z"
	tests := []struct {
		name, src, dst string
		reported       []string
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
			b.wantEvents(t, tt.reported, report.Mkdir, report.Copy, report.Replace, report.Symlink)
		})
	}
}

func TestExistingAndIgnoreExisting(t *testing.T) {
	const (
		src = "both 644 @2001-01-01T00:00:00Z new\nnew 644 x\nl -> x\nd/both 644 @2001-01-01T00:00:00Z new\nd/new 644 x\nd2/f 644 x\n"
		dst = "both 644 old\nd/both 644 old\n"
	)
	tests := []struct {
		name     string
		policy   plan.Policy
		reported []string
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
			b.wantEvents(t, tt.reported, report.Mkdir, report.Copy, report.Replace, report.Symlink)
		})
	}
}
