package engine

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

// fileOn makes a file on a file system, and returns the root with a count of the operations on it.
func fileOn(t *testing.T, m *memfs.FS, data string) (vfs.Dir, map[string]int) {
	t.Helper()
	root := m.Root()
	t.Cleanup(func() { root.Close() })
	f, err := root.OpenFile("f", vfs.Create, 0o644)
	if err == nil {
		_, err = f.WriteAt([]byte(data), 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	ops := &opCounter{n: make(map[string]int)}
	return faultfs.New(root, func(op, _ string) error { return ops.hook(op, "") }), ops.n
}

// TestLargeFilesThatChangedInPart counts the blocks of 1 MiB that are read from or written to another host.
func TestLargeFilesThatChangedInPart(t *testing.T) {
	const mib = 1 << 20
	old := []byte(strings.Repeat("0123456789abcdef", 20*mib/16))
	changed := slices.Clone(old)
	changed[3*mib]++
	changed[12*mib]++
	partial := func(o *Options) { o.Partial.Name = ".part" }
	for _, tt := range []struct {
		name     string
		src, dst func() *memfs.FS
		set      func(*Options)
		old      string // where the destination has the data
		whole    bool
	}{
		{"to another host", memfs.New, memfs.NewFar, nil, "f", false},
		{"between other hosts", memfs.NewFar, memfs.NewFar, nil, "f", false},
		{"in place", memfs.New, memfs.NewFar, func(o *Options) { o.InPlace = true }, "f", false},
		{"with checksums", memfs.New, memfs.NewFar, func(o *Options) { o.Checksum = true }, "f", false},
		{"by several workers", memfs.New, memfs.NewFar, func(o *Options) { o.AlwaysShare, o.Streams = true, 4 }, "f", false},
		{"from what is left of it", memfs.New, memfs.NewFar, partial, ".part/f", false},
		{"from a similar file", memfs.New, memfs.NewFar, func(o *Options) { o.Fuzzy = true }, "f.old", false},
		{"without looking for a similar file", memfs.New, memfs.NewFar, nil, "f.old", true},
		{"whole", memfs.New, memfs.NewFar, func(o *Options) { o.WholeFile = true }, "f", true},
		{"whole, with what is left of it", memfs.New, memfs.NewFar, func(o *Options) { partial(o); o.WholeFile = true }, ".part/f", true},
		{"here", memfs.New, memfs.New, nil, "f", true},
		{"here, with what is left of it", memfs.New, memfs.New, partial, ".part/f", true},
	} {
		b := newSync(t, "", "")
		var ops map[string]int
		src, _ := fileOn(t, tt.src(), string(changed))
		b.dst = tt.dst()
		b.job.Dest, ops = fileOn(t, b.dst, string(old))
		b.job.Sources = []source.Tree{{Dir: src, Label: "SRC"}}
		if tt.set != nil {
			tt.set(&b.job.Options)
		}
		moveTo(t, b.job.Dest, tt.old)
		clear(ops)
		b.job.IgnoreTimes = !b.job.Checksum
		b.mustRun(t)
		if whole := ops["write"] > 2; whole != tt.whole || !whole && ops["write"] != 2 {
			t.Errorf("%s: %v", tt.name, ops)
		}
		if got := b.job.Stats.Totals()[report.BytesCopied]; got != int64(len(changed)) {
			t.Errorf("%s: %d bytes count as copied", tt.name, got)
		}
		wantFile(t, b.job.Dest, changed)
		if attr, err := vfs.Lstat(b.job.Dest, ".part"); err == nil {
			t.Errorf("%s: what was left in part is still there: %v", tt.name, attr)
		}
	}
}

// moveTo moves the file f to a path.
func moveTo(t *testing.T, root vfs.Dir, to string) {
	t.Helper()
	in, name, below := strings.Cut(to, "/")
	if !below {
		if err := root.Rename("f", nil, to, nil); err != nil {
			t.Fatal(err)
		}
		return
	}
	err := root.Make(in, vfs.Spec{Mode: fs.ModeDir | 0o700})
	if err != nil {
		t.Fatal(err)
	}
	dir, err := root.OpenDir(in, vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	if err := root.Rename("f", dir, name, nil); err != nil {
		t.Fatal(err)
	}
}

// TestLargeFileFetchedInPart reads what has changed from another host.
func TestLargeFileFetchedInPart(t *testing.T) {
	const mib = 1 << 20
	old := []byte(strings.Repeat("0123456789abcdef", 20*mib/16))
	changed := slices.Clone(old)
	changed[3*mib]++
	b := newSync(t, "", "")
	src, ops := fileOn(t, memfs.NewFar(), string(changed))
	b.job.Sources = []source.Tree{{Dir: src, Label: "SRC"}}
	b.dst = memfs.NewFar() // whose ranges can be copied
	b.job.Dest, _ = fileOn(t, b.dst, string(old))
	clear(ops)
	b.job.IgnoreTimes = true
	b.mustRun(t)
	if ops["read"] != 1 {
		t.Errorf("in the source: %v", ops)
	}
	wantFile(t, b.job.Dest, changed)
}

func wantFile(t *testing.T, d vfs.Dir, want []byte) {
	t.Helper()
	f, err := d.OpenFile("f", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got := make([]byte, len(want)+1)
	if n, _ := f.ReadAt(got, 0); string(got[:n]) != string(want) {
		t.Errorf("the contents are not those wanted")
	}
}
