package engine

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/tempname"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
)

// tempPrefix starts the names of temporaries.
const tempPrefix = ".psync-"

var (
	deadProcess  = tempname.Process{Host: 1, Boot: 1, PID: 99, Run: 1}
	otherProcess = tempname.Process{Host: 9, Boot: 9, PID: 99, Run: 1}
)

func TestSweepRemovesOnlyWhatIsDead(t *testing.T) {
	gone, foreign, later := deadProcess.Namer()(), otherProcess.Namer()(), ".psync-of-a-later-version-37d7f6f5"
	b := newTestbed(t, "d/f 644 x\n", "d/"+gone+" 644 part\n"+"d/"+foreign+" 644 part\nd/"+later+" 644 part\nd/.psync-notes 644 mine\n")
	b.mustRun(t)
	b.wantTree(t, "d/ 755\nd/"+foreign+" 644 part\nd/.psync-notes 644 mine\nd/"+later+" 644 part\nd/f 644 x\n")
	want := []string{"leave DST/d/" + foreign, "leave DST/d/" + later}
	b.wantEvents(t, want, report.Leave)
}

// TestMirrorLeavesWhatOthersMayBeAtWorkOn has temporaries of other systems among the extraneous entries.
func TestMirrorLeavesWhatOthersMayBeAtWorkOn(t *testing.T) {
	foreign := otherProcess.Namer()()
	for _, tt := range []struct {
		name   string
		age    time.Duration
		max    *plan.Limit
		leaves bool
	}{
		{"a minute ago", time.Minute, nil, true},
		{"counted first", time.Minute, &plan.Limit{N: 10}, true},
		{"two days ago", 48 * time.Hour, nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newMirror(t, "d/f 644 x\n", "d/f 644 x\nd/"+foreign+" 644 part\ngone/"+foreign+" 644 part\ngone/f 644 x\n")
			b.job.Dest = changedAt{b.job.Dest, time.Now().Add(-tt.age)}
			b.job.Delete.Max = tt.max
			b.mustRun(t)
			want, reported := "d/ 755\nd/f 644 x\n", []string(nil)
			if tt.leaves {
				want = "d/ 755\nd/" + foreign + " 644 part\nd/f 644 x\ngone/ 755\ngone/" + foreign + " 644 part\n"
				reported = []string{"leave DST/d/" + foreign, "leave DST/gone/" + foreign}
			}
			b.wantTree(t, want)
			slices.Sort(reported)
			b.wantEvents(t, reported, report.Leave)
		})
	}
}

// changedAt is a directory whose entries, and all below them, were last changed at the same time.
type changedAt struct {
	vfs.Dir
	ctime time.Time
}

func (c changedAt) Unwrap() vfs.Dir { return c.Dir }

func (c changedAt) Statx(name string, want vfs.StatxWant) (vfs.Attr, error) {
	attr, err := c.Dir.Statx(name, want)
	attr.Ctime = vfs.StampOf(c.ctime)
	return attr, err
}

func (c changedAt) OpenDir(name string, how vfs.Resolve) (vfs.Dir, error) {
	sub, err := c.Dir.OpenDir(name, how)
	if err != nil {
		return nil, err
	}
	return changedAt{sub, c.ctime}, nil
}

// TestTemporariesThatStayAreReportedAndSweptLater fails the removal of all temporaries, those of dead processes and of
// the run. The next run finds them, even though everything else is correct.
func TestTemporariesThatStayAreReportedAndSweptLater(t *testing.T) {
	const now = "./ 755 @2001-01-01T00:00:00Z\nd/ 755 @2001-01-01T00:00:00Z\nd/f 644 @2001-01-01T00:00:00Z x\n"
	dead := deadProcess.Namer()()
	tests := []struct {
		name     string
		src, dst string
		deadline string // an operation that also fails
		set      func(*testbed)
		reported int
	}{
		{name: "a dead process's", src: now, dst: "d/" + dead + " 644 part\nd/f 644 @2001-01-01T00:00:00Z x\n", reported: 1},
		{name: "a dead process's directory", src: now, dst: "d/" + dead + "/ 755\nd/f 644 @2001-01-01T00:00:00Z x\n", reported: 1},
		{
			name: "one that was tried out",
			src:  "d/f 644 @2001-01-01T00:00:00.123456789Z x\nd/ 755 @2001-01-01T00:00:00Z\n./ 755 @2001-01-01T00:00:00Z\n",
			dst:  "d/f 644 @2001-01-01T00:00:00.1234567Z x\n", reported: 1,
		},
		{name: "one of a failed copy", src: now, dst: "d/f 644 old\n", deadline: "rename f", reported: 1},
		{name: "one of a failed directory", src: now + "d/sub/ 755\n", dst: "d/f 644 @2001-01-01T00:00:00Z x\nd/sub 644 old\n", deadline: "rename sub", reported: 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSync(t, tt.src, tt.dst)
			whole := b.job.Dest
			b.job.Dest = faultfs.New(whole, func(op, name string) error {
				if (op == "remove" || op == "rmdir") && strings.HasPrefix(name, tempPrefix) || op+" "+name == tt.deadline {
					return syscall.EACCES
				}
				return nil
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := b.record.lines(report.Fail); len(got) != tt.reported {
				t.Errorf("reported %q, want %d failures", got, tt.reported)
			}
			if !hasTemporaries(t, b) {
				t.Fatal("there is no temporary to be left")
			}
			b.job.Dest = whole
			nextRun(&b.job)
			b.mustRun(t)
			b.wantEqual(t)
		})
	}
}

func hasTemporaries(t *testing.T, b *testbed) bool {
	_, dst := b.trees(t)
	return strings.Contains(dst, tempPrefix)
}

// TestDirectoryInUseIsLookedAtAgain has another run working in a directory, which removes its temporary, ends without
// doing so as if it were killed, or continues.
func TestDirectoryInUseIsLookedAtAgain(t *testing.T) {
	const now = "./ 755 @2001-01-01T00:00:00Z\nd/ 755 @2001-01-01T00:00:00Z\nd/f 644 @2001-01-01T00:00:00Z x\n"
	for _, becomes := range []string{"complete", "killed", "slow"} {
		for _, names := range [][]string{nil, {"f"}} {
			name := deadProcess.Namer()()
			b := newSync(t, now, "d/"+name+" 644 part\nd/f 644 old\n")
			whole := b.job.Dest
			var ended atomic.Bool
			in := open(t, whole, "d")
			if names != nil { // what is copied is an entry of the directory
				b.job.Sources = []source.Tree{{Dir: open(t, b.job.Sources[0].Dir, "d"), Label: "SRC", Names: names}}
				whole = in
			}
			changeProcess(&b.job, func(p *tempname.Process) {
				p.Alive = func(int, uint64) bool { return !ended.Load() }
			})
			b.job.Dest = faultfs.New(whole, func(op, _ string) error {
				switch {
				case op != "rename":
				case becomes == "killed":
					ended.Store(true)
				case becomes == "complete":
					if err := in.Remove(name, nil); !isMissing(err) {
						return err
					}
				}
				return nil
			})
			b.mustRun(t)
			if _, err := vfs.Lstat(in, name); isMissing(err) == (becomes == "slow") {
				t.Errorf("%s, names %v: looking up the temporary: %v", becomes, names, err)
			}
			if left := b.record.lines(report.Leave); (len(left) > 0) != (becomes == "slow") {
				t.Errorf("%s, names %v: left %q", becomes, names, left)
			}
			if becomes != "slow" && names == nil {
				b.wantEqual(t)
			}
			ended.Store(true)
			b.mustRun(t)
			if names == nil {
				b.wantEqual(t)
			}
			if _, err := vfs.Lstat(in, name); !isMissing(err) {
				t.Errorf("%s, names %v: the next run leaves the temporary: %v", becomes, names, err)
			}
		}
	}
}

func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
