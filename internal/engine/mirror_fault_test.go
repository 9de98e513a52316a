package engine

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"psync/internal/campaign"
	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// A mirrorbed is a sync that deletes, with all its directories in one file system: the destination is dst, and next
// to it lie bak, prev and tmp.
type mirrorbed struct {
	*testbed
	root vfs.Dir // above the destination
	hook func(op, name string) error
}

// ways are the ways to run it. Each sets options; dir opens one of the directories.
var ways = []struct {
	name string
	set  func(o *Options, dir func(name string) vfs.Dir)
}{
	{"rename", func(*Options, func(string) vfs.Dir) {}},
	{"counted", func(o *Options, _ func(string) vfs.Dir) { o.Delete.Max = &plan.Limit{N: 1000} }},
	{"backup", func(o *Options, _ func(string) vfs.Dir) { o.Backup = backup.Options{On: true, Suffix: "~"} }},
	{"backup-dir", func(o *Options, dir func(string) vfs.Dir) { o.Backup = backup.Options{On: true, Dir: dir("bak")} }},
	{"link-dest", func(o *Options, dir func(string) vfs.Dir) {
		o.Alternatives = job.Alternatives{Kind: plan.LinkDest, Dirs: []vfs.Dir{dir("prev")}}
	}},
	{"copy-dest", func(o *Options, dir func(string) vfs.Dir) {
		o.Alternatives = job.Alternatives{Kind: plan.CopyDest, Dirs: []vfs.Dir{dir("prev")}}
	}},
	{"inplace", func(o *Options, _ func(string) vfs.Dir) { o.InPlace = true }},
	{"inplace, backup-dir", func(o *Options, dir func(string) vfs.Dir) {
		o.InPlace, o.Backup = true, backup.Options{On: true, Dir: dir("bak")}
	}},
	{"temp-dir", func(o *Options, dir func(string) vfs.Dir) { o.TempDir = dir("tmp") }},
	{"update", func(o *Options, _ func(string) vfs.Dir) { o.Policy.Update = true }},
}

// manyErrors is how many of the ways are tested with more than one kind of error.
const manyErrors = 4

// newWay returns a mirror of rich over stale that runs in the i-th way. If hook is not nil, it is called before each
// operation on anything except the source.
func newWay(t testing.TB, i int, hook func(op, name string) error) *mirrorbed {
	t.Helper()
	below := func(dir, tree string) string {
		var out strings.Builder
		for line := range strings.Lines(flush(tree)) {
			out.WriteString(dir + "/" + strings.TrimPrefix(line, "./"))
		}
		return out.String()
	}
	m := &mirrorbed{testbed: newMirror(t, rich, below("dst", stale)+below("prev", rich)+below("prev", "changed/newer 644 other\n")+"bak/mine/f 644 mine\ntmp/ 755\n")}
	m.root, m.hook = m.job.Dest, hook
	// Set the times last: making entries changes them.
	fstest.Fill(t, m.root, below("dst", dirsOf(stale))+below("prev", dirsOf(rich)))
	dir := func(name string) vfs.Dir {
		d, err := m.root.OpenDir(name, vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		return faultfs.New(d, func(op, name string) error {
			if m.hook != nil {
				return m.hook(op, name)
			}
			return nil
		})
	}
	m.job.Dest = dir("dst")
	m.job.Rules = paths{protected: []string{"gone/sub/sub/f"}}
	m.job.User.UID = 1000
	ways[i].set(&m.job.Options, dir)
	return m
}

// dirsOf returns the lines of a tree that are directories.
func dirsOf(tree string) string {
	var out strings.Builder
	for line := range strings.Lines(flush(tree)) {
		if name, _, _ := strings.Cut(line, " "); strings.HasSuffix(name, "/") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// A state holds what lies under each path, except directories.
type state map[string]held

type held struct {
	text  string // contents, or target after an arrow
	mtime time.Time
}

// stateOf returns the state of a directory of the destination's file system.
func (m *mirrorbed) stateOf(t testing.TB, dir string) state {
	t.Helper()
	d, err := m.root.OpenDir(dir, vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	return stateOf(t, d)
}

func stateOf(t testing.TB, d vfs.Dir) state {
	t.Helper()
	s := make(state)
	for line := range strings.Lines(fstest.Tree(t, d, fstest.WithMtimes)) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if strings.HasSuffix(name, "/") {
			continue
		}
		at := strings.IndexByte(rest, '@')
		stamp, text, _ := strings.Cut(rest[at+1:], " ")
		mtime, err := time.Parse(time.RFC3339Nano, stamp)
		if err != nil {
			t.Fatal(err)
		}
		s[name] = held{text, mtime}
	}
	return s
}

// wantNoHarm checks what must hold at any time; before is the original state of the destination.
func (m *mirrorbed) wantNoHarm(t testing.TB, what string, before state) {
	t.Helper()
	src, now := stateOf(t, m.job.Sources[0].Dir), m.stateOf(t, "dst")
	for name, old := range before {
		if old == src[name] && now[name] != old {
			t.Errorf("%s: %s was equal, and now is %v", what, name, now[name])
		}
	}
	if _, ok := now["gone/sub/sub/f"]; !ok {
		t.Errorf("%s: a protected file is gone", what)
	}
	for name, c := range now {
		base := strings.TrimSuffix(name, m.job.Backup.Suffix)
		trusted := !strings.HasPrefix(c.text, "-> ") && c.mtime.Equal(src[name].mtime) && len(c.text) == len(src[name].text)
		switch {
		case strings.Contains(name, tempPrefix):
			t.Errorf("%s: %s is left", what, name)
		case c.text == src[name].text, c.text == before[base].text && !trusted:
		case m.job.InPlace && !trusted:
		default:
			t.Errorf("%s: %s is %v, neither what it was nor what it is to be", what, name, c)
		}
	}
	if tmp := m.stateOf(t, "tmp"); len(tmp) > 0 {
		t.Errorf("%s: temporaries are left: %v", what, tmp)
	}
	if bak := m.stateOf(t, "bak"); bak["mine/f"].text != "mine" {
		t.Errorf("%s: what was among the backups is lost: %v", what, bak)
	}
	m.wantBackups(t, what, before, now)
}

// wantBackups checks that each file of before still exists somewhere if backups are made.
func (m *mirrorbed) wantBackups(t testing.TB, what string, before, now state) {
	t.Helper()
	if !m.job.Backup.On {
		return
	}
	bak := now
	if m.job.Backup.Dir != nil {
		bak = m.stateOf(t, "bak")
	}
	for name, old := range before {
		if now[name].text != old.text && bak[name+m.job.Backup.Suffix].text != old.text {
			t.Errorf("%s: %s, which had %q, is lost; its backup is %v", what, name, old.text, bak[name+m.job.Backup.Suffix])
		}
	}
}

// result returns the destination without backups and without the times of what the source lacks.
func (m *mirrorbed) result(t testing.TB) string {
	t.Helper()
	d, err := m.root.OpenDir("dst", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var out strings.Builder
	src := "\n" + flush(rich)
	for line := range strings.Lines(fstest.Tree(t, d, fstest.WithMtimes, fstest.WithRoot)) {
		before, after, _ := strings.Cut(line, " @")
		if name, _, _ := strings.Cut(line, " "); !strings.Contains(src, "\n"+name+" ") {
			_, text, _ := strings.Cut(strings.TrimSuffix(after, "\n"), " ")
			line = before + " " + text + "\n"
		}
		if name, _, _ := strings.Cut(line, " "); !strings.HasSuffix(name, "~") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// differing returns the lines that only one of two trees has.
func differing(got, want string) string {
	var out strings.Builder
	only := func(mark, a, b string) {
		for line := range strings.Lines(a) {
			if !strings.Contains("\n"+b, "\n"+line) {
				out.WriteString(mark + line)
			}
		}
	}
	only("+ ", got, want)
	only("- ", want, got)
	return out.String()
}

// converged returns the result that a run without faults in the i-th way leaves in the destination.
func converged(t *testing.T, i int) string {
	t.Helper()
	m := newWay(t, i, nil)
	before := m.stateOf(t, "dst")
	if err := m.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	m.wantNoHarm(t, "without a fault", before)
	if m.job.Backup.Suffix == "" {
		if bad := m.record.lines(report.Fail, report.Vanish, report.Unkept); bad != nil {
			t.Fatalf("without a fault: %q", bad)
		}
	}
	return m.result(t)
}

// reportedFailure reports whether a run reported a failure.
func (b *testbed) reportedFailure() bool {
	return b.record.lines(report.Fail, report.Vanish, report.Unkept) != nil
}

// TestEveryFaultOfAMirror fails the first, the second, ... the last operation that changes anything. After each, the
// fault has been reported unless the result is correct anyway; what was equal or protected exists; no file exists in
// part; backups are complete; and the next run has the result of a run without faults.
func TestEveryFaultOfAMirror(t *testing.T) {
	for i, way := range ways {
		for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EPERM} {
			if errno != syscall.EIO && i >= manyErrors {
				continue
			}
			t.Run(fmt.Sprintf("%s, %v", way.name, errno), func(t *testing.T) {
				want := converged(t, i)
				for n := 1 + i%stride(); ; n += stride() {
					fault := faultfs.Nth(n, errno)
					m := newWay(t, i, fault.Before)
					m.job.Threads = 1 + n%2
					before := m.stateOf(t, "dst")
					open := m.dst.Open()
					err := m.run(t.Context())
					m.hook = nil
					if fault.Pending() {
						return
					}
					if err != nil && (job.Fatal(err) == nil || errno != syscall.ENOSPC) {
						t.Errorf("%v: Run = %v", fault, err)
					}
					m.afterFault(t, fault.String(), before, open, want)
				}
			})
		}
	}
}

// stride is how many operations lie between two that fail. Each way to run starts at a different one, and all of them
// fail if tests are thorough.
func stride() int {
	if campaign.Thorough() {
		return 1
	}
	return 41
}

// afterFault checks a mirror in which something failed.
func (m *mirrorbed) afterFault(t *testing.T, fault string, before state, open int, want string) {
	t.Helper()
	if now := m.dst.Open(); now != open {
		t.Errorf("%s: %d handles stay open", fault, now-open)
	}
	if got := m.result(t); !m.reportedFailure() && got != want {
		t.Errorf("%s was not reported, but the destination differs:\n%s", fault, differing(got, want))
	}
	m.wantNoHarm(t, fault, before)
	nextRun(&m.job)
	if err := m.run(t.Context()); err != nil {
		t.Errorf("%s: the next run: %v", fault, err)
	}
	if got := m.result(t); got != want {
		t.Errorf("%s: after the next run the destination differs:\n%s", fault, differing(got, want))
	}
}

// TestEveryFaultOfLookingInAMirror does the same with operations that change nothing, on either side.
func TestEveryFaultOfLookingInAMirror(t *testing.T) {
	for i, way := range ways {
		for _, onSource := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, source %v", way.name, onSource), func(t *testing.T) {
				want := converged(t, i)
				for n := 1 + i%stride(); ; n += stride() {
					var mu sync.Mutex
					seen, failed := 0, ""
					hook := func(op, name string) error {
						mu.Lock()
						defer mu.Unlock()
						if faultfs.Changing(op) || op == "close" || op == "rclose" {
							return nil
						}
						if seen++; seen == n {
							failed = fmt.Sprintf("looking operation %d (%s %q)", n, op, name)
							return syscall.EIO
						}
						return nil
					}
					m := newWay(t, i, nil)
					m.job.Threads = 1
					plain := m.job.Sources[0].Dir
					if onSource {
						m.job.Sources[0].Dir = faultfs.New(plain, hook)
					} else {
						m.hook = hook
					}
					before := m.stateOf(t, "dst")
					open := m.dst.Open()
					err := m.run(t.Context())
					m.hook, m.job.Sources[0].Dir = nil, plain
					if failed == "" {
						return
					}
					if over := new(job.LimitError); errors.As(err, &over) && over.Uncounted {
						continue
					}
					if err != nil && !m.beforeTheStart(failed) {
						t.Errorf("%s: Run = %v", failed, err)
					}
					if err == nil {
						m.afterFault(t, failed, before, open, want)
					}
				}
			})
		}
	}
}

// beforeTheStart reports whether an operation is one that the run needs and that precedes any change.
func (m *mirrorbed) beforeTheStart(failed string) bool {
	return strings.Contains(failed, `lstat "."`) && len(m.record.events) == 0
}

// TestRemovalsThatFailAreReportedOnce fails the removal of each extraneous entry, and of all of them at once.
func TestRemovalsThatFailAreReportedOnce(t *testing.T) {
	for _, threads := range []int{1, 16} {
		b := newMirror(t, rich, stale)
		b.job.Threads = threads
		b.job.Dest = faultfs.Inject(b.job.Dest, "(op remove|rmdir, err EACCES)")
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		seen := make(map[string]int)
		for _, line := range b.record.lines(report.Fail) {
			seen[line]++
		}
		maps.DeleteFunc(seen, func(_ string, n int) bool { return n == 1 })
		if len(seen) > 0 {
			t.Errorf("reported more than once: %v", seen)
		}
		for _, line := range []string{"fail DST/gone/f", "fail DST/gone/sub/sub/f", "fail DST/same/gone"} {
			if !strings.Contains(strings.Join(b.record.lines(report.Fail), "\n")+"\n", line+"\n") {
				t.Errorf("not reported: %s", line)
			}
		}
		b.wantEvents(t, nil, report.Delete)
	}
}

// TestFullDestinationStopsAMirror makes the file system full, or the quota exceeded, when something is being removed.
func TestFullDestinationStopsAMirror(t *testing.T) {
	for _, op := range []string{"remove", "rmdir"} {
		b := newMirror(t, "f 644 x\n", "gone/a/ 755\ngone/b/f 644 x\n")
		b.job.Keep = metadata.Keep{}
		b.job.Dest = faultfs.New(b.job.Dest, func(o, _ string) error {
			if o == op {
				return syscall.EROFS
			}
			return nil
		})
		if err := b.run(t.Context()); job.Fatal(err) == nil {
			t.Errorf("%s: Run = %v, want a FatalError", op, err)
		}
		if got := b.record.lines(report.Fail); len(got) != 1 {
			t.Errorf("%s: reported %q, want one failure", op, got)
		}
	}
}
