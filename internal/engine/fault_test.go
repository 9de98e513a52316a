package engine

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"syscall"
	"testing"

	"psync/internal/metadata"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/asyncfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/plainfs"
)

// plainRoot is the sample with a root of the usual mode: an existing root keeps its own, and if the first operation
// fails, nothing has been done to it yet.
var plainRoot = strings.Replace(sample, "./ 750", "./ 755", 1)

// TestEveryFault fails the first, the second, ... the last operation that changes the destination. After each, no
// file exists in part; the failure has been reported; nothing else is missing; nothing stays open; and the next run
// completes the copy.
func TestEveryFault(t *testing.T) {
	const old = `
		a/f 644 @2001-01-01T00:00:00Z "old contents"*10000
		a/link -> elsewhere
		read-only/ 555
		read-only/sub/ 500
		read-only/sub/f 400 old
		empty/ 711
	`
	local := func(d vfs.Dir) vfs.Dir { return d }
	plain := func(d vfs.Dir) vfs.Dir { return plainfs.New(d, nil) }
	for _, tt := range []struct {
		name  string
		where func(vfs.Dir) vfs.Dir
		dst   string
		again bool // a failed operation may be tried again by another method
	}{
		{"new", local, "", false},
		{"existing", local, old, false},
		{"new, far away", asyncfs.New, "", false},
		{"new, plain files", plain, "", true},
	} {
		for _, errno := range []syscall.Errno{syscall.EIO, syscall.EACCES, syscall.ENOSPC, syscall.EPERM} {
			t.Run(fmt.Sprintf("%s, %v", tt.name, errno), func(t *testing.T) {
				for n := 1; failNth(t, tt.where, tt.dst, tt.again, n, errno); n++ {
				}
			})
		}
	}
}

// failNth runs a copy whose n-th changing operation fails, and reports whether there was one. The function where
// returns the destination to use. If again is true, the failure need not be reported when all files were copied.
func failNth(t *testing.T, where func(vfs.Dir) vfs.Dir, dst string, again bool, n int, errno syscall.Errno) bool {
	b := newTestbed(t, plainRoot, dst)
	b.job.Keep = metadata.Keep{Mtime: true, Owner: true, Group: true, Asked: report.Owner | report.Group | report.Times}
	b.job.Threads = 1 + n%2
	for _, name := range []string{"a", "empty", "dangling"} {
		if err := vfs.Chown(vfs.In(b.job.Sources[0].Dir, name), 5, 6); err != nil {
			t.Fatal(err)
		}
	}
	srcOpen, dstOpen := b.src.Open(), b.dst.Open()
	fault := faultfs.Nth(n, errno)
	whole := b.job.Dest
	b.job.Dest = where(faultfs.New(whole, fault.Before))

	err := b.run(t.Context())
	if fault.Pending() {
		if n == 1 {
			t.Fatal("no operation changes anything")
		}
		return false
	}
	totals := b.job.Stats.Totals()
	reported := totals[report.Failed] + totals[report.Unkeeps]
	size := int64(0)
	for _, e := range b.record.events {
		size += e.Size
		if e.Kind == report.Unkept && !e.Asked {
			reported++
		}
	}
	again = again && totals[report.FilesCopied] == totals[report.FilesSeen]
	if reported == 0 && !forgiven(fault) && !again {
		t.Errorf("%v was not reported", fault)
	}
	if fatal := err != nil; fatal != (errno == syscall.ENOSPC && reported > 0) {
		t.Errorf("%v: Run = %v", fault, err)
	}
	if copied := totals[report.BytesCopied]; copied != size {
		t.Errorf("%v: %d bytes counted, but the files copied have %d", fault, copied, size)
	}
	if s, d := b.src.Open(), b.dst.Open(); s != srcOpen || d != dstOpen {
		t.Errorf("%v: %d and %d handles stay open", fault, s-srcOpen, d-dstOpen)
	}
	wantWholeFiles(t, b)
	if t.Failed() {
		return false
	}
	b.job.Dest, b.job.DestIsNew = whole, false
	b.mustRun(t)
	b.wantEqual(t)
	return !t.Failed()
}

// forgiven reports whether a fault need not be reported: adding rights to a directory of an earlier run is only
// tried, and if they were needed, the entries report it.
func forgiven(f *faultfs.Faults) bool {
	return strings.Contains(f.String(), "chmod")
}

func TestFullDestinationIsReportedOnce(t *testing.T) {
	var tree strings.Builder
	for i := range 200 {
		fmt.Fprintf(&tree, "d%d/f 644 x\n", i)
	}
	b := newTestbed(t, tree.String(), "")
	b.job.Threads = 16
	b.job.Dest = faultfs.Inject(b.job.Dest, "(op write, err ENOSPC)")
	var fatal *FatalError
	if err := b.run(t.Context()); !errors.As(err, &fatal) || !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Run = %v, want a FatalError of ENOSPC", err)
	}
	if got := b.record.lines(report.Fail); len(got) != 1 {
		t.Errorf("reported %q, want one failure", got)
	}
}

// wantWholeFiles checks that each file of the destination has the contents that it has in the source, or those that
// it had before.
func wantWholeFiles(t testing.TB, b *testbed) {
	t.Helper()
	src, dst := b.trees(t)
	contents := func(tree string) map[string]string {
		m := make(map[string]string)
		for line := range strings.Lines(tree) {
			name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			if strings.HasPrefix(rest, "->") || strings.HasSuffix(name, "/") {
				continue
			}
			_, data, _ := strings.Cut(rest, " ")
			m[name] = data
		}
		return m
	}
	want := contents(src)
	for name, got := range maps.All(contents(dst)) {
		if strings.HasPrefix(name[strings.LastIndexByte(name, '/')+1:], tempPrefix) {
			t.Errorf("temporary %s is left", name)
		} else if got != want[name] && !strings.Contains(got, "old") && !strings.Contains(got, "120000 bytes") {
			t.Errorf("%s has %q, want %q or what it had before", name, got, want[name])
		}
	}
}

// TestEveryFaultOfTheSource fails each operation on the source in turn.
func TestEveryFaultOfTheSource(t *testing.T) {
	for _, errno := range []syscall.Errno{syscall.EIO, syscall.EACCES, syscall.ENOENT} {
		t.Run(errno.Error(), func(t *testing.T) {
			for n := 1; ; n++ {
				b := newTestbed(t, plainRoot, "")
				b.job.Threads = 1
				ops, failed := 0, ""
				plain := b.job.Sources[0].Dir
				b.job.Sources[0].Dir = faultfs.New(plain, func(op, name string) error {
					if op == "close" || op == "rclose" || op == "xattrs" { // the last only for the note at the end
						return nil
					}
					if ops++; ops == n {
						failed = op + " " + name
						return errno
					}
					return nil
				})
				if err := b.run(t.Context()); err != nil {
					t.Fatalf("%s: Run = %v", failed, err)
				}
				if failed == "" {
					return
				}
				totals := b.job.Stats.Totals()
				if totals[report.Failed]+totals[report.Vanished] != 1 {
					t.Errorf("%s: %d failed and %d vanished, want one", failed, totals[report.Failed], totals[report.Vanished])
				}
				wantWholeFiles(t, b)
				b.job.Sources[0].Dir, b.job.DestIsNew = plain, false
				b.mustRun(t)
				b.wantEqual(t)
			}
		})
	}
}
