package engine

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"syscall"
	"testing"

	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/asyncfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// attributed is a tree with every kind of attribute, and attributedBefore is one that differs from it in each.
const attributed = `
	./ 750 @2001-01-01T00:00:00Z @user.root=1
	f 644 @2002-01-01T00:00:00Z @user.a=1 @user.b="two words" @owner=5:6 text
	f2 (= f)
	s/f3 (= f)
	s/ 2755 @2003-01-01T00:00:00Z @user.dir=1
	s/suid 4755 @2003-01-01T00:00:00Z @owner=7:8 program
	s/closed/ 555 @2004-01-01T00:00:00Z
	s/closed/g 400 @2004-01-01T00:00:00Z @user.x=1 text
	s/closed/l @2004-01-01T00:00:00Z -> g
	s/closed/l2 (= s/closed/l)
	t/pipe 600 @2005-01-01T00:00:00Z (fifo)
	t/pipe2 (= t/pipe)
	t/dev 600 @2005-01-01T00:00:00Z (char 0x103)
	t/same 644 @2005-01-01T00:00:00Z @user.s=1 same
	t/ 755 @2006-01-01T00:00:00Z
`

const attributedBefore = `
	f 600 @2001-01-01T00:00:00Z @user.a=2 @user.c=gone other
	f2 644 @2002-01-01T00:00:00Z text
	s/ 700 @user.gone=1
	s/suid 755 @2003-01-01T00:00:00Z program
	s/closed/ 755
	s/closed/g 400 @2004-01-01T00:00:00Z text
	s/closed/l2 -> wrong
	t/pipe 644 @2001-01-01T00:00:00Z (fifo)
	t/pipe2 644 file
	t/dev 600 @2005-01-01T00:00:00Z (char 0x104)
	t/same 644 @2005-01-01T00:00:00Z @user.s=2 same
`

// An attributedRun is a run over a tree with attributes.
type attributedRun struct {
	name string
	new  func(t *testing.T) (b *testbed, trees func() [2]string)
	late bool // the destination is remote
}

func attributedRuns() []attributedRun {
	onLinux := func(before string, threads int) func(t *testing.T) (*testbed, func() [2]string) {
		return func(t *testing.T) (*testbed, func() [2]string) {
			b := newLinked(t, attributed, before)
			b.job.Threads = threads
			return b, func() [2]string {
				opts := []fstest.TreeOption{fstest.WithMtimes, fstest.WithRoot, fstest.WithLinks, fstest.WithOwners, fstest.WithXattrs}
				src, dst := b.trees(t, opts...)
				return [2]string{src, dst}
			}
		}
	}
	onMac := func(user uint32, one bool) func(t *testing.T) (*testbed, func() [2]string) {
		return func(t *testing.T) (*testbed, func() [2]string) {
			b, plant := newMac(t, memfs.Mac{UID: user, GID: 20}, one)
			b.job.Policy.Sync = true
			fstest.Fill(t, plant[0], macTree)
			if user != 0 {
				own(t, plant[0], int(user), 20)
			}
			return b, func() [2]string { return macTrees(t, plant) }
		}
	}
	return []attributedRun{
		{name: "new", new: onLinux("", 1)},
		{name: "new, many workers", new: onLinux("", 8)},
		{name: "new, far away", new: onLinux("", 1), late: true},
		{name: "new, far away, many workers", new: onLinux("", 8), late: true},
		{name: "over another tree", new: onLinux(attributedBefore, 1)},
		{name: "over another tree, many workers", new: onLinux(attributedBefore, 8)},
		{name: "over another tree, far away", new: onLinux(attributedBefore, 1), late: true},
		{name: "macOS", new: onMac(0, false)},
		{name: "macOS, far away", new: onMac(501, false), late: true},
		{name: "macOS, clones", new: onMac(501, true)},
	}
}

// TestEveryFaultOfAttributes fails each operation that changes or looks at anything once. The fault is reported,
// unless everything is correct anyway; no file exists in part; no handle stays open; and the next run makes
// everything correct.
func TestEveryFaultOfAttributes(t *testing.T) {
	for i, run := range attributedRuns() {
		for _, side := range []pairs.Side{pairs.Source, pairs.Dest} {
			t.Run(fmt.Sprintf("%s, side %d", run.name, side), func(t *testing.T) {
				for n := 1 + i%stride(); ; n += stride() {
					if !failAttributes(t, run, side, n) {
						return
					}
				}
			})
		}
	}
}

func failAttributes(t *testing.T, run attributedRun, side pairs.Side, n int) bool {
	b, trees := run.new(t)
	var mu sync.Mutex
	seen, failed := 0, ""
	hook := func(op, name string) error {
		mu.Lock()
		defer mu.Unlock()
		if op == "close" || op == "rclose" || op == "nclose" {
			return nil
		}
		if seen++; seen == n {
			failed = fmt.Sprintf("operation %d (%s %q)", n, op, name)
			return syscall.EIO
		}
		return nil
	}
	src, dst := b.job.Sources[0].Dir, b.job.Dest
	if side == pairs.Source {
		b.job.Sources[0].Dir = faultfs.New(src, hook)
	} else {
		b.job.Dest = faultfs.New(dst, hook)
	}
	if run.late {
		b.job.Dest = asyncfs.New(onVolume(b.job.Dest, vfs.Volume{KeepsAttrs: n%2 == 0}))
	}
	open := b.src.Open() + b.dst.Open()
	err := b.run(t.Context())
	if failed == "" {
		return false
	}
	if err != nil && !(strings.Contains(failed, `lstat "."`) && len(b.record.events) == 0) {
		t.Errorf("%s: Run = %v", failed, err)
	}
	if now := b.src.Open() + b.dst.Open(); now != open {
		t.Errorf("%s: %d handles stay open", failed, now-open)
	}
	if got := trees(); got[0] != got[1] && !b.reportedFailure() && err == nil {
		t.Errorf("%s was not reported, but the trees differ:\n%s", failed, differing(got[1], got[0]))
	}
	b.job.Sources[0].Dir, b.job.Dest, b.job.DestIsNew = src, dst, false
	nextRun(&b.job)
	if _ = b.run(t.Context()); b.reportedFailure() {
		t.Errorf("%s: the next run reported %q", failed, b.record.lines(report.Fail, report.Vanish, report.Unkept))
	}
	if got := trees(); got[0] != got[1] {
		t.Errorf("%s: after the next run the destination differs:\n%s", failed, differing(got[1], got[0]))
	}
	return !t.Failed()
}

// TestVolumesThatLackSomethingAreReportedOnce requests what the destination cannot keep: the changes of one entry, which has
// two attributes, show that, all entries are counted, and everything else is kept.
func TestVolumesThatLackSomethingAreReportedOnce(t *testing.T) {
	for _, asked := range []report.Attr{0, report.Xattrs} {
		b := newLinked(t, attributed, "")
		b.job.Keep.Asked = asked
		b.job.Threads = 1
		attempts := 0
		b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
			if op == "setxattr" {
				attempts++
				return errors.ErrUnsupported
			}
			return nil
		})
		if err := b.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		entries := map[string]bool{}
		for _, e := range b.record.events {
			if e.Kind == report.Unkept {
				if e.Attr != report.Xattrs || e.Asked != (asked != 0) {
					t.Errorf("reported %+v", e)
				}
				entries[e.Path()] = true
			}
		}
		if attempts != 2 || len(entries) != 5 {
			t.Errorf("%d attempts, reported %v; want 2 attempts, and 5 entries", attempts, entries)
		}
		if failed := b.job.Stats.Totals()[report.Unkeeps] > 0; failed != (asked != 0) {
			t.Errorf("asked %v: failed %v", asked, failed)
		}
		src, dst := b.trees(t, fstest.WithMtimes, fstest.WithRoot, fstest.WithLinks, fstest.WithOwners)
		if src != dst {
			t.Errorf("source:\n%s\ndestination:\n%s", src, dst)
		}
	}
}

// TestVolumesThatForgetAreFoundOut has a volume accept owners and modes without keeping them: the first sync finds
// that out, and the next reports it and has nothing to do.
func TestVolumesThatForgetAreFoundOut(t *testing.T) {
	b := newLinked(t, "f 600 @2001-01-01T00:00:00Z @owner=5:6 text\ng 600 @2001-01-01T00:00:00Z @owner=5:6 text\n",
		"f 644 @2001-01-01T00:00:00Z text\ng 644 @2001-01-01T00:00:00Z text\n")
	b.job.Threads = 1
	calls := 0
	b.job.Dest = forgetful{faultfs.Without(b.job.Dest, vfs.CanNode), &calls}
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.wantEvents(t, []string{"attrs ."}, report.SetAttr, report.Fail) // for its times
	if got := len(b.record.lines(report.Unkept)); got != 6 || calls != 2 {
		t.Errorf("%d attributes reported, %d attempts; want 6 and 2", got, calls)
	}
}

// forgetful is a directory on a volume that forgets owners and modes.
type forgetful struct {
	vfs.Dir
	calls *int
}

func (d forgetful) Set(name string, changes []vfs.Change) []error {
	return vfs.SetEach(changes, func(c *vfs.Change) error {
		if c.Kind == vfs.OwnerChange || c.Kind == vfs.ModeChange {
			*d.calls++
			return nil
		}
		return vfs.SetOne(vfs.In(d.Dir, name), *c)
	})
}

// TestSourcesThatLackSomethingTakeNothingAway syncs from a volume without extended attributes and ACLs: it says
// nothing about those of the destination.
func TestSourcesThatLackSomethingTakeNothingAway(t *testing.T) {
	const (
		src = "./ 755 @2001-01-01T00:00:00Z\nf 644 @2001-01-01T00:00:00Z text\ng 644 @2001-01-01T00:00:00Z text\nd/ 755 @2001-01-01T00:00:00Z\nd/h 644 @2001-01-01T00:00:00Z text\n"
		dst = `
			./ 755 @2001-01-01T00:00:00Z @user.root=1
			f 644 @2001-01-01T00:00:00Z @user.tag=1 @acl=everyone:0x2:0x10 text
			g 644 @2001-01-01T00:00:00Z @user.tag=1 text
			d/ 755 @2001-01-01T00:00:00Z @user.dir=1
			d/h 644 @2001-01-01T00:00:00Z @user.tag=1 text
		`
	)
	for _, threads := range []int{1, 8} {
		b, plant := newMac(t, memfs.Mac{NoXattrs: true}, false)
		b.dst = memfs.NewMac(memfs.Mac{})
		b.job.Dest, plant[1] = b.dst.Root(), b.dst.Plant()
		b.job.Policy.Sync, b.job.DestIsNew, b.job.Threads = true, false, threads
		b.job.Keep.Btime = false
		fstest.Fill(t, plant[0], src)
		fstest.Fill(t, plant[1], dst)
		before := macTrees(t, plant)
		b.mustRun(t)
		if after := macTrees(t, plant); after[1] != before[1] {
			t.Errorf("%d threads: destination:\n%s\nit was:\n%s", threads, after[1], before[1])
		}
		if len(b.record.events) > 0 {
			t.Errorf("%d threads: reported %q", threads, b.record.all())
		}
	}
}

// TestOneEntryWithoutAttributesSaysNothingAboutOthers makes some entries on a volume that is composed of several
// report that they cannot have attributes.
func TestOneEntryWithoutAttributesSaysNothingAboutOthers(t *testing.T) {
	b := newLinked(t, "a 644 @2001-01-01T00:00:00Z x\nd/f 644 @2001-01-01T00:00:00Z x\nz 644 @2001-01-01T00:00:00Z @user.k=1 x\ne/y 644 @2001-01-01T00:00:00Z @user.k=1 x\n", "")
	b.job.Threads = 1
	b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
		if op == "xattrs" && (name == "a" || name == "." || name == "f") {
			return errors.ErrUnsupported
		}
		return nil
	})
	b.mustRun(t)
	b.wantSame(t)
}
