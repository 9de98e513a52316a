package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestSourceThatChangesIsReportedAndCopiedAgain changes a file while it is read.
func TestSourceThatChangesIsReportedAndCopiedAgain(t *testing.T) {
	tests := []struct {
		name   string
		dst    string
		set    func(*Options)
		change string // the new contents of the source
	}{
		{"new file", "", nil, "f 644 @2001-01-01T00:00:01Z new"},
		{"replaced file", "f 644 before", nil, "f 644 @2001-01-01T00:00:01Z new"},
		{"in place", "f 644 before", func(o *Options) { o.InPlace = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"size only", "", func(o *Options) { o.Policy.SizeOnly = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"update", "", func(o *Options) { o.Policy.Update = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"ignore existing", "", func(o *Options) { o.Policy.IgnoreExisting = true }, "f 644 @2001-01-01T00:00:01Z new"},
		{"checksum", "f 644 bef", func(o *Options) { o.Policy.Checksum = true }, "f 644 @2001-01-01T00:00:01Z new"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newSync(t, "f 644 @2001-01-01T00:00:00Z old\n", tt.dst)
			if tt.set != nil {
				tt.set(&b.job.Options)
			}
			plain := b.job.Sources[0].Dir
			var once sync.Once
			b.job.Dest = faultfs.New(b.job.Dest, func(op, _ string) error {
				if op == "write" {
					once.Do(func() { overwrite(t, plain, "f", tt.change) })
				}
				return nil
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, []string{"fail SRC/f"}, report.Fail)
			if attr, err := vfs.Lstat(b.job.Dest, "f"); err == nil && !attr.Mtime.Equal(time.Unix(0, 0)) {
				t.Errorf("time of the copy %v, want 1970", attr.Mtime)
			}
			b.job.Sources[0].Dir = plain
			b.mustRun(t)
			b.wantEqual(t)
		})
	}
}

// TestIgnoreExistingMakesNothingUnfinished checks the names that entries are made under: no later run would complete
// what a killed run leaves under a final name.
func TestIgnoreExistingMakesNothingUnfinished(t *testing.T) {
	b := newSync(t, "f 644 x\nl -> f\np (fifo)\n", "")
	b.job.Policy.IgnoreExisting = true
	b.job.Policy.Specials = true
	var made int
	b.job.Threads = 1
	b.job.Dest = faultfs.New(b.job.Dest, func(op, name string) error {
		switch op {
		case "create", "symlink", "mknod":
			made++
			if !strings.HasPrefix(name, tempPrefix) {
				t.Errorf("%s %s", op, name)
			}
		}
		return nil
	})
	b.mustRun(t)
	b.wantEqual(t)
	if made != 3 {
		t.Errorf("%d entries were made, want 3", made)
	}
}

// overwrite changes a file without making a new one, as its own writer does.
func overwrite(t testing.TB, d vfs.Dir, name, line string) {
	t.Helper()
	scratch := memfs.New().Root()
	defer scratch.Close()
	fstest.Fill(t, scratch, line)
	attr, err := vfs.Lstat(scratch, name)
	if err != nil {
		t.Fatal(err)
	}
	from, err := scratch.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	data := make([]byte, attr.Size)
	if _, err := from.ReadAt(data, 0); err != nil && attr.Size > 0 && !strings.Contains(err.Error(), "EOF") {
		t.Fatal(err)
	}
	f, err := d.OpenFile(name, vfs.ReadWrite, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(data, 0)
	if err := cmp.Or(err, f.Truncate(attr.Size), vfs.Chtimes(f, time.Time{}, attr.Mtime), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestSourceThatChangesItsKind replaces entries of the source after they are listed and before they are processed.
func TestSourceThatChangesItsKind(t *testing.T) {
	tests := []struct {
		name     string
		src      string
		dst      string
		op       string // the operation before which the entry changes
		becomes  string
		reported []string
	}{
		{"file vanishes before it is looked at", "e 644 x", "e 644 old", "lstat", "", []string{"vanish SRC/e"}},
		{"file vanishes before it is opened", "e 644 x", "e 644 old", "open", "", []string{"vanish SRC/e"}},
		{"new file vanishes", "e 644 x", "", "open", "", []string{"vanish SRC/e"}},
		{"file becomes a directory", "e 644 x", "e 644 old", "open", "e/", []string{"fail SRC/e"}},
		{"new file becomes a directory", "e 644 x", "", "open", "e/", []string{"fail SRC/e"}},
		{"file becomes a link", "e 644 x", "e 644 old", "open", "e -> x", []string{"fail SRC/e"}},
		{"link vanishes", "e -> x", "", "readlink", "", []string{"vanish SRC/e"}},
		{"link becomes a file", "e -> x", "", "readlink", "e 644 x", []string{"fail SRC/e"}},
		{"directory vanishes", "e/f 644 x", "e/g 644 old", "opendir", "", []string{"vanish SRC/e"}},
		{"directory becomes a file", "e/f 644 x", "e/g 644 old", "opendir", "e 644 x", []string{"fail SRC/e"}},
		{"new directory becomes a file", "e/f 644 x", "", "opendir", "e 644 x", []string{"fail SRC/e"}},
		{"directory becomes a link to one", "e/f 644 x", "e/g 644 old", "opendir", "e -> other", []string{"fail SRC/e"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			const both = "other/ 755\nz 644 z\n"
			b := newSync(t, tt.src+"\n"+both, tt.dst+"\n"+both)
			b.job.Delete.On = true
			b.job.Threads = 1
			_, old := b.trees(t)
			plain := b.job.Sources[0].Dir
			var once sync.Once
			b.job.Sources[0].Dir = before(plain, tt.op, "e", func() {
				once.Do(func() {
					removeTree(t, plain, "e")
					fstest.Fill(t, plain, tt.becomes)
				})
			})
			if err := b.run(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.wantEvents(t, tt.reported, report.Fail, report.Vanish)
			if _, got := b.trees(t); strings.Contains(tt.dst, "old") && got != old {
				t.Errorf("destination:\n%s\nwas:\n%s", got, old)
			}
			b.job.Sources[0].Dir = plain
			b.mustRun(t)
			if src, dst := b.trees(t); src != dst {
				t.Errorf("after the next run the destination is\n%s\nwant\n%s", dst, src)
			}
		})
	}
}

// removeTree removes an entry and its contents.
func removeTree(t testing.TB, d vfs.Dir, name string) {
	t.Helper()
	attr, err := vfs.Lstat(d, name)
	if err != nil {
		t.Fatal(err)
	}
	if !attr.Mode.IsDir() {
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
	for _, e := range entriesOf(t, sub) {
		removeTree(t, sub, e.Name)
	}
	if err := d.Rmdir(name); err != nil {
		t.Fatal(err)
	}
}

func entriesOf(t testing.TB, d vfs.Dir) []vfs.Entry {
	t.Helper()
	var all []vfs.Entry
	if err := d.ReadDir(func(entries []vfs.Entry) error {
		all = append(all, entries...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

func TestInterruptedSyncIsCompletedByTheNext(t *testing.T) {
	const extra = "a/gone/b/f 644 x\na/gone/f 644 x\na/f 644 old\nread-only/ 555\nread-only/gone/f 644 x\n"
	why := errors.New("interrupted by the test")
	for _, limit := range []*plan.Limit{nil, {N: 1000}} {
		for n := 1; ; n++ {
			ctx, cancel := context.WithCancelCause(t.Context())
			b := newSync(t, plainRoot, extra)
			b.job.Delete = plan.Delete{On: true, Max: limit}
			b.job.Threads = 1 + n%2
			plain := b.job.Dest
			srcOpen, dstOpen := b.src.Open(), b.dst.Open()
			var mu sync.Mutex
			seen, at := 0, ""
			b.job.Dest = faultfs.New(plain, func(op, name string) error {
				mu.Lock()
				defer mu.Unlock()
				if seen++; seen == n {
					at = fmt.Sprintf("operation %d (%s %q), limit %v", n, op, name, limit != nil)
					cancel(why)
				}
				return nil
			})
			err := b.run(ctx)
			cancel(nil)
			if at == "" {
				break
			}
			if err != nil && !errors.Is(err, why) {
				t.Errorf("%s: Run = %v, want the cause", at, err)
			}
			if s, d := b.src.Open(), b.dst.Open(); s != srcOpen || d != dstOpen {
				t.Errorf("%s: %d and %d handles stay open", at, s-srcOpen, d-dstOpen)
			}
			if bad := b.record.lines(report.Fail, report.Vanish, report.Unkept); bad != nil {
				t.Errorf("%s: the interrupt was reported as a failure: %q", at, bad)
			}
			b.job.Dest = plain
			b.mustRun(t)
			b.wantEqual(t)
		}
	}
}
