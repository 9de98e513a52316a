package engine

import (
	"errors"
	"io"
	"io/fs"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

const unchangedFile = "f 644 @2001-01-01T00:00:00Z old\n"

// copyWays are the ways in which the contents of a file reach the destination.
var copyWays = []struct {
	name string
	dst  string
	set  func(*Options)
}{
	{"new file", "", nil},
	{"replaced file", "f 644 before", nil},
	{"in place", "f 644 before", func(o *Options) { o.InPlace = true }},
	{"sparse", "", func(o *Options) { o.Content.Sparse = true }},
	{"update", "", func(o *Options) { o.Policy.Update = true }},
	{"ignore existing", "", func(o *Options) { o.Policy.IgnoreExisting = true }},
	{"checksum", "f 644 bef", func(o *Options) { o.Policy.Checksum = true }},
}

// newChangingSync returns a sync of a file that change is applied to before each write to its copy.
func newChangingSync(t *testing.T, dst string, set func(*Options), change func(src vfs.Dir)) *testbed {
	t.Helper()
	b := newSync(t, unchangedFile, dst)
	if set != nil {
		set(&b.job.Options)
	}
	plain := b.job.Sources[0].Dir
	b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
		if op == "write" {
			change(plain)
		}
		return nil
	})
	return b
}

// TestContentsThatChangeBehindTheirTimesAreCopiedAgain gives a file other contents of the same size while it is
// copied, and restores its modification time.
func TestContentsThatChangeBehindTheirTimesAreCopiedAgain(t *testing.T) {
	for _, way := range copyWays {
		t.Run(way.name, func(t *testing.T) {
			var once sync.Once
			b := newChangingSync(t, way.dst, way.set, func(src vfs.Dir) {
				once.Do(func() { overwrite(t, src, "f", "f 644 @2001-01-01T00:00:00Z new") })
			})
			b.mustRun(t)
			b.wantEqual(t)
			if got := b.job.Stats.Totals()[report.BytesCopied]; got != 3 {
				t.Errorf("%d bytes are said to be copied, want 3", got)
			}
		})
	}
}

// TestContentsThatKeepChangingAreReported does so before each write.
func TestContentsThatKeepChangingAreReported(t *testing.T) {
	for _, way := range copyWays {
		t.Run(way.name, func(t *testing.T) {
			n := 0
			b := newChangingSync(t, way.dst, way.set, func(src vfs.Dir) {
				n++
				overwrite(t, src, "f", "f 644 @2001-01-01T00:00:00Z "+strings.Repeat(string(rune('a'+n)), 3))
			})
			b.job.Threads = 1
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, []string{"fail SRC/f"}, report.Fail)
			if attr, err := vfs.Lstat(b.job.Dest, "f"); err == nil && !attr.Mtime.Equal(time.Unix(0, 0)) {
				t.Errorf("time of the copy %v, want 1970", attr.Mtime)
			}
			b.job.Dest = b.dst.Root()
			b.mustRun(t)
			b.wantEqual(t)
		})
	}
}

// TestAttributesMayChangeDuringACopy changes the mode of a file once, and adds another name.
func TestAttributesMayChangeDuringACopy(t *testing.T) {
	for _, way := range copyWays {
		t.Run(way.name, func(t *testing.T) {
			var once sync.Once
			b := newChangingSync(t, way.dst, way.set, func(src vfs.Dir) {
				once.Do(func() {
					if err := errors.Join(vfs.Chmod(vfs.In(src, "f"), 0o600), src.Link(src, "f", "g"), src.Remove("g", nil)); err != nil {
						t.Error(err)
					}
				})
			})
			b.mustRun(t)
			b.wantTree(t, "f 644 old\n")
		})
	}
}

// TestSourceIsLostBeforeTheLastLook loses the source when a file has been read and is about to be checked once more:
// that does not mean that the file changed.
func TestSourceIsLostBeforeTheLastLook(t *testing.T) {
	for _, way := range copyWays {
		t.Run(way.name, func(t *testing.T) {
			b := newSync(t, unchangedFile, way.dst)
			if way.set != nil {
				way.set(&b.job.Options)
			}
			var read atomic.Bool
			lost := &vfs.LostError{Host: "box", Err: io.ErrUnexpectedEOF}
			b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, func(op, _ string) error {
				if op == "read" {
					read.Store(true)
				} else if op == "stat" && read.Load() {
					return lost
				}
				return nil
			})
			if err := b.run(t.Context()); !errors.Is(err, lost) {
				t.Errorf("the run ends with %v, want %v", err, lost)
			}
			b.wantEvents(t, nil, report.Fail)
			if got := fstest.Tree(t, b.job.Dest, fstest.WithMtimes); strings.Contains(got, "@1970") {
				t.Errorf("the destination has what looks changed:\n%s", got)
			}
		})
	}
}

// TestFileThatChangesWhileItIsCompared changes a file after its first byte has been read.
func TestFileThatChangesWhileItIsCompared(t *testing.T) {
	for _, compare := range []bool{false, true} {
		b := newSync(t, unchangedFile, unchangedFile)
		b.job.Policy.Checksum, b.job.Compare, b.job.DryRun = true, compare, compare
		plain := b.job.Sources[0].Dir
		var once sync.Once
		b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
			if op == "read" {
				once.Do(func() { overwrite(t, plain, "f", "f 644 @2001-01-01T00:00:00Z new") })
			}
			return nil
		})
		if compare {
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, []string{"fail SRC/f"}, report.Fail)
			continue
		}
		b.mustRun(t)
		b.wantEqual(t)
	}
}

// A tickingDir holds files whose times are those of a clock that moves every 10 ms.
type tickingDir struct {
	vfs.Dir
	time func() time.Time // of the last change
}

func (d tickingDir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	f, err := d.Dir.OpenFile(name, mode, perm)
	if mode != vfs.ReadOnly {
		return f, err
	}
	return tickingFile{f, d.time}, err
}

type tickingFile struct {
	vfs.File
	time func() time.Time
}

func (f tickingFile) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	a, err := f.File.Statx(want)
	a.Mtime = f.time()
	a.Ctime = vfs.StampOf(a.Mtime)
	return a, err
}

// TestFileWrittenAgainWithinATick rewrites a file 5 ms after it was written, within the same tick of the clock, and
// copies it in between.
func TestFileWrittenAgainWithinATick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newSync(t, "f 644 old\n", "")
		src := b.job.Sources[0].Dir
		start := time.Now()
		again := start.Add(5 * time.Millisecond)
		b.job.Sources[0].Dir = tickingDir{src, func() time.Time {
			last := start
			if !time.Now().Before(again) {
				last = again
			}
			return last.Truncate(10 * time.Millisecond).Add(1) // not in whole seconds
		}}
		written := make(chan struct{})
		go func() {
			defer close(written)
			time.Sleep(time.Until(again))
			overwrite(t, src, "f", "f 644 new")
		}()
		b.mustRun(t)
		<-written
		b.wantTree(t, "f 644 new\n")
	})
}
