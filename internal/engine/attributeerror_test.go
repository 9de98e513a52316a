package engine

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"

	"psync/internal/engine/pairs"
	"psync/internal/report"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// TestAttributesThatBreakFailTheirEntries makes each attribute fail with an error that is not a limitation of the
// volume: each entry is reported by name, and still exists.
func TestAttributesThatBreakFailTheirEntries(t *testing.T) {
	const entries = 21
	var src, dst strings.Builder
	var want []string
	for i := range entries {
		fmt.Fprintf(&src, "f%02d 644 @2001-01-01T00:00:00Z @user.a=1 @user.b=2 text\n", i)
		fmt.Fprintf(&dst, "f%02d 644 @2001-01-01T00:00:00Z @user.a=0 text\n", i)
		want = append(want, fmt.Sprintf("f%02d", i))
	}
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EACCES, syscall.E2BIG} {
		for _, tt := range []struct {
			op    string
			side  pairs.Side
			dst   string
			whole bool // the attributes of the destination stay as they were
		}{
			{"setxattr", pairs.Dest, "", false},
			{"setxattr", pairs.Dest, dst.String(), true},
			{"xattrs", pairs.Source, "", false},
			{"xattr", pairs.Source, "", false},
			{"xattrs", pairs.Source, dst.String(), true},
			{"xattr", pairs.Source, dst.String(), true},
			{"xattrs", pairs.Dest, dst.String(), false}, // what is known to be wanted is set
		} {
			t.Run(fmt.Sprintf("%v/%s of %d/%v", errno, tt.op, tt.side, tt.dst != ""), func(t *testing.T) {
				b := newLinked(t, src.String(), tt.dst)
				_, before := b.trees(t, fstest.WithXattrs)
				hook := func(op, name string) error {
					if op == tt.op && name != "." {
						return errno
					}
					return nil
				}
				from, to := b.job.Sources[0].Dir, b.job.Dest
				if tt.side == pairs.Source {
					b.job.Sources[0].Dir = faultfs.New(from, hook)
				} else {
					b.job.Dest = faultfs.New(to, hook)
				}
				if err := b.run(t.Context()); err != nil {
					t.Fatal(err)
				}
				if unkept := b.record.lines(report.Unkept); unkept != nil {
					t.Errorf("reported as what cannot be kept: %q", unkept)
				}
				var failed []string
				for _, e := range b.record.events {
					if e.Kind == report.Fail {
						failed = append(failed, e.Name)
					}
				}
				slices.Sort(failed)
				if !slices.Equal(failed, want) {
					t.Errorf("named as failed: %q, want %q", failed, want)
				}
				if n := b.job.Stats.Totals()[report.Failed]; n != entries {
					t.Errorf("%d entries failed, want %d", n, entries)
				}
				if _, after := b.trees(t, fstest.WithXattrs); tt.whole && after != before {
					t.Errorf("destination:\n%s\nwas:\n%s", after, before)
				}
				b.wantEqual(t) // except for the attributes
				b.job.Sources[0].Dir, b.job.Dest = from, to
				b.mustRun(t)
				b.wantSame(t)
			})
		}
	}
}

// TestSourceOfAFailedAttributeStays checks that --remove-source-files does not remove the only complete copy.
func TestSourceOfAFailedAttributeStays(t *testing.T) {
	shareAll(t, false) // otherwise files have other names until they are complete
	b := newLinked(t, "f 644 @user.a=1 text\ng (= f)\nh 644 other\n", "")
	b.job.RemoveSource, b.job.Threads = true, 1
	b.job.Dest = faultfs.New(b.job.Dest, fails(map[string]error{"setxattr f": syscall.EIO, "setxattr g": syscall.EIO}))
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	src, _ := b.trees(t)
	if want := "f 644 text\ng 644 text\n"; src != want {
		t.Errorf("source:\n%swant:\n%s", src, want)
	}
}
