package engine

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/vfstest"
)

const unchangedFile = "f 644 @2001-01-01T00:00:00Z old\n"

// copyWays are the ways by which the contents of a file get into the destination.
var copyWays = []struct {
	name string
	dst  string
	set  func(*Options)
}{
	{"new file", "", nil},
	{"replaced file", "f 644 before", nil},
	{"in place", "f 644 before", func(o *Options) { o.InPlace = true }},
	{"sparse", "", func(o *Options) { o.Sparse = true }},
	{"update", "", func(o *Options) { o.Policy.Update = true }},
	{"ignore existing", "", func(o *Options) { o.Policy.IgnoreExisting = true }},
	{"checksum", "f 644 bef", func(o *Options) { o.Policy.Checksum = true }},
}

// newChangingSync returns a sync of a file to which change is done before each write to its copy.
func newChangingSync(t *testing.T, dst string, set func(*Options), change func(src vfs.Dir)) *testbed {
	t.Helper()
	b := newSync(t, unchangedFile, dst)
	if set != nil {
		set(&b.job.Options)
	}
	plain := b.job.Sources[0].Dir
	b.job.Dest = vfstest.NewFaulty(b.job.Dest, func(op, _ string) error {
		if op == "write" {
			change(plain)
		}
		return nil
	})
	return b
}

// TestContentsThatChangeBehindTheirTimesAreCopiedAgain gives a file other contents of the
// same size while it is copied, and its modification time back.
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
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantTold(t, []string{"fail SRC/f"}, report.Fail)
			if attr, err := b.job.Dest.Lstat("f"); err == nil && !attr.Mtime.Equal(time.Unix(0, 0)) {
				t.Errorf("time of the copy %v, want 1970", attr.Mtime)
			}
			b.job.Dest = b.dst.Root()
			b.mustRun(t)
			b.wantEqual(t)
		})
	}
}

// TestAttributesMayChangeDuringACopy changes the mode of a file once, and gives it another name.
func TestAttributesMayChangeDuringACopy(t *testing.T) {
	for _, way := range copyWays {
		t.Run(way.name, func(t *testing.T) {
			var once sync.Once
			b := newChangingSync(t, way.dst, way.set, func(src vfs.Dir) {
				once.Do(func() {
					if err := errors.Join(src.Chmod("f", 0o600), src.(vfs.Linker).Link(src, "f", "g"), src.Remove("g")); err != nil {
						t.Error(err)
					}
				})
			})
			b.mustRun(t)
			b.wantTree(t, "f 644 old\n")
		})
	}
}

// TestFileThatChangesWhileItIsCompared changes a file after its first byte was read.
func TestFileThatChangesWhileItIsCompared(t *testing.T) {
	for _, compare := range []bool{false, true} {
		b := newSync(t, unchangedFile, unchangedFile)
		b.job.Policy.Checksum, b.job.Compare, b.job.DryRun = true, compare, compare
		plain := b.job.Sources[0].Dir
		var once sync.Once
		b.job.Dest = vfstest.NewFaulty(b.job.Dest, func(op, _ string) error {
			if op == "read" {
				once.Do(func() { overwrite(t, plain, "f", "f 644 @2001-01-01T00:00:00Z new") })
			}
			return nil
		})
		if compare {
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantTold(t, []string{"fail SRC/f"}, report.Fail)
			continue
		}
		b.mustRun(t)
		b.wantEqual(t)
	}
}
