package engine

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestLockedNamesAreLinkedFirst has a locked file whose names are separate files in the destination, though each is
// current: locked files cannot get further names.
func TestLockedNamesAreLinkedFirst(t *testing.T) {
	const locked = `
		./ 755 @2001-01-01T00:00:00Z
		a 644 @2001-01-01T00:00:00Z @flags=0x2 text
		b (= a)
		d/ 755 @2001-01-01T00:00:00Z
		d/c (= a)
		d/l @2001-01-01T00:00:00Z @flags=0x2 -> target
		m (= d/l)
		single 644 @2001-01-01T00:00:00Z @flags=0x2 text
	`
	for _, dst := range []string{
		"a 644 @2001-01-01T00:00:00Z text\nb 644 @2001-01-01T00:00:00Z text\nd/c 644 @2001-01-01T00:00:00Z text\nsingle 644 @2001-01-01T00:00:00Z text\n",
		"b 644 @2001-01-01T00:00:00Z text\nd/l @2001-01-01T00:00:00Z -> target\n",
		"a 644 @2001-01-01T00:00:00Z old\nm -> elsewhere\n",
	} {
		for _, user := range []uint32{0, 501} {
			for _, threads := range []int{1, 8} {
				t.Run(fmt.Sprintf("%.8q, user %d, %d threads", dst, user, threads), func(t *testing.T) {
					b, plant := newMac(t, memfs.Mac{UID: user, GID: 20}, false)
					b.job.Policy.Sync, b.job.DestIsNew, b.job.Threads = true, false, threads
					fstest.Fill(t, plant[0], locked)
					fstest.Fill(t, plant[1], dst)
					own(t, plant[0], int(user), 20)
					own(t, plant[1], int(user), 20)
					b.mustRun(t)
					if trees := macTrees(t, plant); trees[0] != trees[1] {
						t.Errorf("source:\n%s\ndestination:\n%s", trees[0], trees[1])
					}
					b.wantNothing(t)
				})
			}
		}
	}
}

// TestDirectoriesThatWaitAreFinishedAfterFailures has a directory wait for a file that is copied elsewhere and has a
// name in it. Whatever fails, and whichever worker continues with it, the directory gets its mode and times, and
// nothing that prevents the next run from correcting everything.
func TestDirectoriesThatWaitAreFinishedAfterFailures(t *testing.T) {
	const there = "d/ 555 @2002-01-01T00:00:00Z\nd/other 644 @2001-01-01T00:00:00Z x\n"
	trees := map[string]string{
		"new": "", "there": there, "stale": there + "d/name 644 old\n",
		"nearly": there + "d/fresh 644 @2001-01-01T00:00:00Z x\n",
	}
	faults := map[string][2]string{
		"none": {}, "link": {"link", "name"}, "create": {"create", "fresh"}, "read": {"read", "lead"}, "replace": {"rename", "name"},
	}
	for before, tree := range trees {
		for fault, at := range faults {
			for _, threads := range []int{2, 8} {
				for _, mac := range []bool{false, true} {
					t.Run(fmt.Sprintf("%s, %s, %d threads, macOS %v", before, fault, threads, mac), func(t *testing.T) {
						w := newWaiting(t, tree, mac, at[1] != "lead")
						w.b.job.Threads = threads
						w.fail(t, at[0], at[1])
					})
				}
			}
		}
	}
}

// A waiting is a run in which the directory d waits for a file in the directory a.
type waiting struct {
	b     *testbed
	trees func() [2]string
}

// newWaiting returns a waiting run into a destination that holds before. If locks is true, d is locked in the end.
func newWaiting(t *testing.T, before string, mac, locks bool) *waiting {
	const src = `
		./ 755 @2001-01-01T00:00:00Z
		a/ 755 @2001-01-01T00:00:00Z
		a/lead 644 @2001-01-01T00:00:00Z text
		d/ 555 @2002-01-01T00:00:00Z
		d/name (= a/lead)
		d/fresh 644 @2001-01-01T00:00:00Z x
		d/other 644 @2001-01-01T00:00:00Z x
	`
	if !mac {
		b := newLinked(t, src, before)
		return &waiting{b, func() [2]string {
			src, dst := b.trees(t, fstest.WithMtimes, fstest.WithRoot, fstest.WithLinks)
			return [2]string{src, dst}
		}}
	}
	b, plant := newMac(t, memfs.Mac{}, false)
	b.job.Policy.Sync, b.job.DestIsNew = true, before == ""
	fstest.Fill(t, plant[0], src)
	if locks {
		fstest.Fill(t, plant[0], "d/ 555 @2002-01-01T00:00:00Z @flags=0x2\n")
	}
	fstest.Fill(t, plant[1], before)
	return &waiting{b, func() [2]string { return macTrees(t, plant) }}
}

// fail runs the job with one operation that fails once.
func (w *waiting) fail(t *testing.T, op, name string) {
	b := w.b
	src, dst := b.job.Sources[0].Dir, b.job.Dest
	led, rest := make(chan bool), make(chan bool)
	var failed, read atomic.Bool
	hook := func(o, n string) error {
		if o == op && n == name && failed.CompareAndSwap(false, true) {
			return syscall.EIO
		}
		return nil
	}
	once := func(c chan bool) func() { return sync.OnceFunc(func() { close(c) }) }
	leads, rests := once(led), once(rest)
	wait := func(c chan bool) {
		select {
		case <-c:
		case <-time.After(time.Second):
		}
	}
	b.job.Sources[0].Dir = faultfs.New(src, func(o, n string) error {
		switch {
		case o == "opendir" && n == "d":
			wait(led)
		case o == "read" && n == "lead" && read.CompareAndSwap(false, true):
			leads()
			wait(rest)
			time.Sleep(2 * time.Millisecond) // d now has nothing else to do
		}
		return hook(o, n)
	})
	b.job.Dest = faultfs.New(dst, func(o, n string) error {
		if n == "fresh" {
			rests()
		}
		return hook(o, n)
	})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := w.trees(); directoryLine(got[0]) != directoryLine(got[1]) {
		t.Errorf("reported %q; source:\n%s\ndestination:\n%s", b.record.lines(report.Fail), got[0], got[1])
	}
	b.job.Sources[0].Dir, b.job.Dest, b.job.DestIsNew = src, dst, false
	nextRun(&b.job)
	b.mustRun(t)
	if got := w.trees(); got[0] != got[1] {
		t.Errorf("after the next run; source:\n%s\ndestination:\n%s", got[0], got[1])
	}
}

// directoryLine returns the line of d in a tree without flags, which may be deferred.
func directoryLine(tree string) string {
	for line := range strings.Lines(tree) {
		if strings.HasPrefix(line, "d/ ") {
			return regexp.MustCompile(` @flags=\w+`).ReplaceAllString(line, "")
		}
	}
	return ""
}

// TestCompareTakesNoFileForOneOfTheOtherSide has trees that share files, each under its own names.
func TestCompareTakesNoFileForOneOfTheOtherSide(t *testing.T) {
	const at = " 644 @2001-01-01T00:00:00Z text\n"
	tests := []struct {
		name, tree string
		want       []string
	}{
		{"one name each", "s/a" + at + "d/a" + at + "s/c (= d/a)\nd/c" + at, nil},
		{"crosswise", "s/a" + at + "d/a" + at + "s/b (= d/a)\nd/b (= s/a)\n", nil},
		{"the same", "s/a" + at + "d/a (= s/a)\ns/b" + at + "d/b (= s/b)\n", nil},
		{"apart in the destination", "s/a" + at + "s/b (= s/a)\nd/a (= s/a)\nd/b" + at, []string{"replace"}},
		{"apart in the source", "s/a" + at + "d/a (= s/a)\nd/b (= s/a)\ns/b" + at, []string{"replace"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newLinked(t, tt.tree+"s/ 755 @2001-01-01T00:00:00Z\nd/ 755 @2001-01-01T00:00:00Z\n", "")
			root := b.job.Sources[0].Dir
			open := func(name string) vfs.Dir {
				d, err := root.OpenDir(name, vfs.NoFollow)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { d.Close() })
				return d
			}
			b.job.Sources[0].Dir, b.job.Dest = open("s"), open("d")
			b.job.Compare, b.job.DryRun, b.job.DestIsNew = true, true, false
			b.job.Threads = 1
			b.mustRun(t)
			var got []string
			for _, e := range b.record.events {
				if e.Diff&report.DiffLinks != 0 {
					got = append(got, "replace")
				} else {
					t.Errorf("reported %+v", e)
				}
			}
			if len(got) != len(tt.want) {
				t.Errorf("reported %q", b.record.all())
			}
		})
	}
}

// TestEntriesThatStandForOneOnlyAreClaimedOnce has two separate source files of equal size that correspond to one
// file of the destination at the same time: in place it can become only one of them.
func TestEntriesThatStandForOneOnlyAreClaimedOnce(t *testing.T) {
	for _, inPlace := range []bool{false, true} {
		for n := range 20 {
			b := newLinked(t, "a/n 644 @2001-01-01T00:00:00Z AAAA\nb/n 644 @2002-01-01T00:00:00Z BBBB\n",
				"a/n 644 @2003-01-01T00:00:00Z CCCC\nb/n (= a/n)\n")
			b.job.Threads = 8
			b.job.InPlace = inPlace
			b.job.Policy.Checksum = n%2 == 0
			// Both see the existing entry before either claims it.
			meet := make(chan bool)
			b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, name string) error {
				if op == "open" && name == "n" {
					select {
					case meet <- true:
					case <-meet:
					}
				}
				return nil
			})
			b.mustRun(t)
			b.wantSame(t)
		}
	}
}
