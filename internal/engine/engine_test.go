package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/engine/source"
	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// A record is a sink that keeps the events it receives.
type record struct {
	mu     sync.Mutex
	events []report.Event
}

func (r *record) Event(e report.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.events = append(r.events, e)
}

// lines returns the events of some kinds as "KIND PATH", sorted.
func (r *record) lines(kinds ...report.Kind) []string {
	words := []string{"mkdir", "copy", "replace", "symlink", "link", "attrs", "delete", "skip", "vanish", "fail", "unkept", "volumefile", "leave"}
	var lines []string
	for _, e := range r.events {
		if slices.Contains(kinds, e.Kind) {
			lines = append(lines, words[e.Kind]+" "+e.Path())
		}
	}
	slices.Sort(lines)
	return lines
}

// A testbed consists of two file systems and what a run between them reported.
type testbed struct {
	src, dst *memfs.FS
	job      Job
	record   *record
}

// newTestbed returns a job that copies one tree over another with two workers.
func newTestbed(t testing.TB, src, dst string) *testbed {
	t.Helper()
	b := &testbed{src: memfs.New(), dst: memfs.New(), record: new(record)}
	from, to := b.src.Root(), b.dst.Root()
	t.Cleanup(func() { from.Close(); to.Close() })
	fstest.Fill(t, from, src)
	fstest.Fill(t, to, dst)
	b.job = Job{
		Options:   Options{Threads: 2, Keep: metadata.Keep{Mtime: true}},
		Sources:   []source.Tree{{Dir: from, Label: "SRC"}},
		Dest:      to,
		DestLabel: "DST",
		DestIsNew: dst == "",
		Stats:     new(report.Stats),
		Sink:      b.record,
		Process:   thisProcess,
	}
	return b
}

func thisProcess() tempname.Process {
	return tempname.Process{Host: 1, Boot: 1, PID: 2, Run: 3, Alive: func(int, uint64) bool { return false }}
}

// changeProcess changes what a job takes for the process that runs it.
func changeProcess(j *Job, change func(*tempname.Process)) {
	p := j.Process()
	change(&p)
	j.Process = func() tempname.Process { return p }
}

// nextRun has another run of the same process do a job.
func nextRun(j *Job) { changeProcess(j, func(p *tempname.Process) { p.Run++ }) }

// run runs the job with its own sink and statistics.
func (b *testbed) run(ctx context.Context) error {
	b.record = new(record)
	b.job.Sink, b.job.Stats, b.job.AlwaysShare = b.record, new(report.Stats), alwaysShare
	return Run(ctx, b.job)
}

func (b *testbed) mustRun(t testing.TB) {
	t.Helper()
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if bad := b.record.lines(report.Fail, report.Vanish, report.Unkept); bad != nil {
		t.Fatalf("unexpected: %q", bad)
	}
}

func (b *testbed) trees(t testing.TB, opts ...fstest.TreeOption) (src, dst string) {
	t.Helper()
	return fstest.Tree(t, b.src.Root(), opts...), fstest.Tree(t, b.dst.Root(), opts...)
}

func (b *testbed) wantEqual(t testing.TB) {
	t.Helper()
	if src, dst := b.trees(t, fstest.WithMtimes, fstest.WithRoot); src != dst {
		t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
	}
}

const sample = `
	./ 750 @2001-02-03T04:05:06.7Z
	a/ 755 @2002-02-03T04:05:06.000000007Z
	a/f 644 @1960-01-01T00:00:00Z "hello"*1000
	a/empty 600 @2050-01-01T00:00:00Z
	a/b/c/d/ 700 @2003-01-01T00:00:00Z
	a/b/c/d/f 755 @2004-01-01T00:00:00Z x
	a/link @2005-01-01T00:00:00Z -> b/c
	read-only/ 555 @2006-01-01T00:00:00Z
	read-only/f 444 @2006-01-01T00:00:00Z y
	read-only/sub/ 500 @2007-01-01T00:00:00Z
	read-only/sub/f 400 @2007-01-01T00:00:00Z z
	empty/ 711 @2008-01-01T00:00:00Z
	dangling @2009-01-01T00:00:00Z -> /nowhere
`

func TestCopyIntoNewDirectory(t *testing.T) {
	for _, threads := range []int{1, 2, 16, 64} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			b := newTestbed(t, sample, "")
			b.job.Threads = threads
			b.mustRun(t)
			b.wantEqual(t)
			got := b.job.Stats.Totals()
			want := report.Totals{
				report.DirsSeen: 8, report.FilesSeen: 5, report.LinksSeen: 2, report.BytesSeen: 5003,
				report.LinkBytes: 11, report.RootsMade: 1, report.DirsMade: 7, report.FilesMade: 5, report.LinksMade: 2,
				report.FilesCopied: 5, report.BytesCopied: 5003, report.OthersCopied: 2,
			}
			if got != want {
				t.Errorf("totals %v, want %v", got, want)
			}
		})
	}
}

func TestCopyOverExistingTree(t *testing.T) {
	b := newTestbed(t, sample, `
		a/f 600 "a much longer file than the one that replaces it"*1000
		a/b/other 644 stays
		./ 750
		a/link -> elsewhere
		read-only/ 555
		read-only/f 000 old
		dangling -> /nowhere
		extra/f 644 stays
	`)
	b.mustRun(t)
	want := []string{"replace a/f", "replace a/link", "replace read-only/f"}
	if got := b.record.lines(report.Replace); !slices.Equal(got, want) {
		t.Errorf("replaced %q, want %q", got, want)
	}
	// Except for what only the destination had, both are equal.
	dst := b.dst.Root()
	defer dst.Close()
	removeFile(t, dst, "a/b/other")
	removeFile(t, dst, "extra/f")
	if err := dst.Rmdir("extra"); err != nil {
		t.Fatal(err)
	}
	b.mustRun(t)
	b.wantEqual(t)
}

func TestExistingDirectoriesKeepTheirModes(t *testing.T) {
	b := newTestbed(t, `
		./ 700
		open/ 755
		private/ 700
		unfinished/ 555
		unfinished/f 444 x
	`, `
		./ 1777
		open/ 750
		private/ 1777
		unfinished/ 755
	`)
	b.mustRun(t)
	_, got := b.trees(t, fstest.WithRoot)
	want := "./ 1777\nopen/ 750\nprivate/ 1777\nunfinished/ 555\nunfinished/f 444 x\n"
	if got != want {
		t.Errorf("destination:\n%s\nwant:\n%s", got, want)
	}
}

func TestTypesInTheWay(t *testing.T) {
	b := newTestbed(t, `
		file-over-dir 644 x
		file-over-full-dir 644 x
		link-over-dir -> x
		dir-over-file/f 644 x
		dir-over-link/f 644 x
		file-over-link 644 x
		link-over-file -> x
		after 644 x
	`, `
		file-over-dir/
		file-over-full-dir/f 644 y
		link-over-dir/
		dir-over-file 644 y
		dir-over-link -> elsewhere
		elsewhere/
		file-over-link -> elsewhere/precious
		elsewhere/precious 644 y
		link-over-file 644 y
	`)
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantFailed := []string{"fail DST/dir-over-file", "fail DST/dir-over-link", "fail DST/file-over-full-dir"}
	if got := b.record.lines(report.Fail); !slices.Equal(got, wantFailed) {
		t.Errorf("failed %q, want %q", got, wantFailed)
	}
	_, got := b.trees(t)
	want := strings.Join([]string{
		"after 644 x",
		"dir-over-file 644 y",
		"dir-over-link -> elsewhere",
		"elsewhere/ 755",
		"elsewhere/precious 644 y",
		"file-over-dir 644 x",
		"file-over-full-dir/ 755",
		"file-over-full-dir/f 644 y",
		"file-over-link 644 x",
		"link-over-dir -> x",
		"link-over-file -> x",
	}, "\n")
	if strings.TrimSpace(got) != want {
		t.Errorf("destination:\n%s\nwant:\n%s", got, want)
	}
}

func TestSpecialsAreSkippedAndReported(t *testing.T) {
	b := newTestbed(t, "f 644 x\n", "")
	fstest.Fill(t, b.job.Sources[0].Dir, "fifo 644 (fifo)")
	b.mustRun(t)
	if got := b.record.lines(report.Skip); !slices.Equal(got, []string{"skip SRC/fifo"}) {
		t.Errorf("skipped %q", got)
	}
	if n := b.job.Stats.Totals()[report.SpecialsSeen]; n != 1 {
		t.Errorf("%d specials counted, want 1", n)
	}
}

func TestDryRunReportsTheSameAndTouchesNothing(t *testing.T) {
	const old = `
		a/f 600 old
		a/b/ 755
		read-only 644 in the way
		empty/ 755
		dangling -> elsewhere
	`
	for _, dst := range []string{"", old} {
		b := newTestbed(t, sample, dst)
		_, before := b.trees(t, fstest.WithMtimes, fstest.WithRoot)
		b.job.DryRun = true
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, after := b.trees(t, fstest.WithMtimes, fstest.WithRoot); after != before {
			t.Errorf("the dry run changed the destination:\n%s\nwas:\n%s", after, before)
		}
		all := []report.Kind{report.Mkdir, report.Copy, report.Replace, report.Symlink, report.Skip, report.Fail}
		planned := b.record.lines(all...)
		counted := b.job.Stats.Totals()

		b.job.DryRun = false
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if done := b.record.lines(all...); !slices.Equal(planned, done) {
			t.Errorf("planned:\n%q\ndone:\n%q", planned, done)
		}
		if totals := b.job.Stats.Totals(); totals != counted {
			t.Errorf("counted %v, then %v", counted, totals)
		}
	}
}

func TestDryRunWithoutDestination(t *testing.T) {
	b := newTestbed(t, sample, "")
	b.job.DryRun, b.job.Dest, b.job.DestIsNew = true, nil, true
	b.mustRun(t)
	if n := b.job.Stats.Totals()[report.FilesMade]; n != 5 {
		t.Errorf("%d files planned, want 5", n)
	}
}

func TestNamesAndInto(t *testing.T) {
	b := newTestbed(t, sample, "")
	root := b.job.Sources[0].Dir
	a, err := root.OpenDir("a", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	b.job.Sources = []source.Tree{
		{Dir: a, Label: "SRC/a", Into: "taken"},
		{Dir: root, Label: "SRC", Names: []string{"read-only", "dangling"}},
	}
	b.mustRun(t)
	_, got := b.trees(t)
	for _, line := range []string{"taken/b/c/d/f 755 x\n", "read-only/sub/f 400 z\n", "dangling -> /nowhere\n"} {
		if !strings.Contains(got, line) {
			t.Errorf("destination lacks %q:\n%s", line, got)
		}
	}
	if strings.Contains(got, "\na/") || strings.Contains(got, "empty/") {
		t.Errorf("destination has more than was asked for:\n%s", got)
	}
	if want := "copy taken/b/c/d/f"; !slices.Contains(b.record.lines(report.Copy), want) {
		t.Errorf("events %q lack %q", b.record.lines(report.Copy), want)
	}
	attr, err := vfs.Lstat(b.job.Dest, "taken")
	if err != nil || !attr.Mtime.Equal(time.Date(2002, 2, 3, 4, 5, 6, 7, time.UTC)) {
		t.Errorf("time of the directory copied into: %v, %v", attr.Mtime, err)
	}
}

func TestVanishedNameIsNoFailure(t *testing.T) {
	b := newTestbed(t, "f 644 x\n", "")
	b.job.Sources[0].Names = []string{"gone", "f"}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	totals := b.job.Stats.Totals()
	if totals[report.Vanished] != 1 || totals[report.Failed] != 0 || totals[report.FilesMade] != 1 {
		t.Errorf("totals %v, want one vanished and one copied", totals)
	}
}

// TestFewOpenDirectories copies a wide and a deep tree while almost no directories may stay open.
func TestFewOpenDirectories(t *testing.T) {
	var tree strings.Builder
	for i := range 20 {
		for j := range 5 {
			fmt.Fprintf(&tree, "d%d/e%d/f%d/g 644 x\n", i, j, i%3)
		}
	}
	tree.WriteString(strings.Repeat("deep/", 200) + "f 644 bottom\n")
	for _, limit := range []int{1, 3} {
		b := newTestbed(t, tree.String(), "")
		b.job.OpenDirs = limit
		b.job.Threads = 8
		b.mustRun(t)
		b.wantEqual(t)
	}
}

func TestNothingStaysOpen(t *testing.T) {
	b := newTestbed(t, sample, "a/f 644 old\nempty 644 in the way\n")
	src, dst := b.src.Open(), b.dst.Open()
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if s, d := b.src.Open(), b.dst.Open(); s != src || d != dst {
		t.Errorf("%d source and %d destination handles stay open", s-src, d-dst)
	}
}

func TestDestinationInsideSourceIsNotCopiedIntoItself(t *testing.T) {
	b := newTestbed(t, "f 644 x\nin/side/ 755\n", "")
	in, err := b.job.Sources[0].Dir.OpenDir("in", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	b.job.Dest, b.job.DestIsNew = in, false
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.record.lines(report.Fail); !slices.Equal(got, []string{"fail SRC/in"}) {
		t.Errorf("failed %q, want SRC/in", got)
	}
}

func TestInterruptedRunLeavesWholeFilesOnly(t *testing.T) {
	why := errors.New("interrupted by the test")
	for n := 1; ; n++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		b := newTestbed(t, plainRoot, "a/f 644 old\n")
		plainDest := b.job.Dest
		reached := false
		var mu sync.Mutex
		ops := 0
		b.job.Dest = faultfs.New(plainDest, func(string, string) error {
			mu.Lock()
			defer mu.Unlock()
			if ops++; ops == n {
				reached = true
				cancel(why)
			}
			return nil
		})
		err := b.run(ctx)
		cancel(nil)
		if !reached {
			return
		}
		// The run may have ended by the last operation.
		if err != nil && !errors.Is(err, why) {
			t.Fatalf("operation %d: Run = %v, want the cause", n, err)
		}
		if bad := b.record.lines(report.Fail, report.Vanish, report.Unkept); bad != nil {
			t.Errorf("operation %d: the interrupt was reported as a failure: %q", n, bad)
		}
		wantWholeFiles(t, b)
		b.job.Dest = plainDest
		b.mustRun(t)
		b.wantEqual(t)
	}
}

func removeFile(t testing.TB, d vfs.Dir, path string) {
	t.Helper()
	for {
		name, rest, more := strings.Cut(path, "/")
		if !more {
			if err := d.Remove(name, nil); err != nil {
				t.Fatal(err)
			}
			return
		}
		sub, err := d.OpenDir(name, vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		defer sub.Close()
		d, path = sub, rest
	}
}

// parent splits a path that is not "" into the path of its parent and its last element.
func parent(p string) (dir, name string) {
	i := strings.LastIndexByte(p, '/')
	return p[:max(i, 0)], p[i+1:]
}
