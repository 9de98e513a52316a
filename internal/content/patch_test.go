package content_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"sync"
	"testing"

	"psync/internal/content"
	"psync/internal/localfs"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

const mib = 1 << 20

// A patchBed is a volume far away that has an old file, and what is done there.
type patchBed struct {
	vfs.Dir
	mu     sync.Mutex     // guards n
	n      map[string]int // operations
	before func(op string, n int) error
}

func newPatchBed(t *testing.T, m *memfs.FS, old []byte) *patchBed {
	t.Helper()
	b := &patchBed{n: make(map[string]int)}
	b.Dir = faultfs.New(m.Root(), func(op, _ string) error {
		b.mu.Lock()
		b.n[op]++
		n := b.n[op]
		b.mu.Unlock()
		if b.before != nil {
			return b.before(op, n)
		}
		return nil
	})
	t.Cleanup(func() { b.Close() })
	writeFile(t, b, "old", old)
	clear(b.n)
	return b
}

func writeFile(t *testing.T, d vfs.Dir, name string, data []byte) {
	t.Helper()
	f, err := d.OpenFile(name, vfs.Create, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.WriteAt(data, 0)
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

func opened(t *testing.T, f vfs.File, err error) (vfs.File, vfs.Attr) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	attr, err := vfs.Stat(f)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f, attr
}

// wantData checks the contents of a file.
func (b *patchBed) wantData(t *testing.T, name string, want []byte) {
	t.Helper()
	f, attr := opened(t, must(b.OpenFile(name, vfs.ReadOnly, 0)), nil)
	got := make([]byte, attr.Size)
	if _, err := f.ReadAt(got, 0); err != nil && attr.Size > 0 {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes are not the %d wanted", name, len(got), len(want))
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// changedAt returns a version of data in which some bytes differ.
func changedAt(data []byte, at ...int) []byte {
	data = slices.Clone(data)
	for _, i := range at {
		data[i]++
	}
	return data
}

func TestPatch(t *testing.T) {
	data := random(10*mib + 5)
	unlike := make([]byte, len(data))
	for _, tt := range []struct {
		name   string
		old    []byte
		writes int // of up to 256 KiB each
	}{
		{"the same", data, 0},
		{"first block", changedAt(data, 0), 1},
		{"last block", changedAt(data, len(data)-1), 1},
		{"some blocks", changedAt(data, 3*mib, 4*mib, 4*mib+1, 8*mib-1), 3},
		{"shorter", data[:7*mib+3], 13},
		{"longer", append(slices.Clone(data), random(3*mib)...), 0},
		{"nothing alike", unlike, 41},
	} {
		for i := range 4 {
			inPlace, shared := i%2 == 1, i/2 == 1
			b := newPatchBed(t, memfs.NewFar(), tt.old)
			near := memfs.New().Root()
			writeFile(t, near, "f", data)
			src, attr := opened(t, must(near.OpenFile("f", vfs.ReadOnly, 0)), nil)
			var moved int64
			c := content.Copier{Progress: func(n int64) { moved += n }}
			if shared {
				shareWithOthers(t, &c, &moved)
			}
			var routes content.Routes
			route := routes.Between(content.Device{Dev: attr.Dev}, content.Device{Dev: 99, Network: true})
			var err error
			if inPlace {
				dst, old := opened(t, must(b.OpenFile("old", vfs.ReadWrite, 0)), nil)
				if !c.CanPatch(src, dst, attr, old) {
					t.Fatal("cannot patch")
				}
				err = c.PatchInPlace(t.Context(), dst, src, attr, old, route)
			} else {
				base, old := opened(t, must(b.OpenFile("old", vfs.ReadOnly, 0)), nil)
				dst, _ := opened(t, must(b.OpenFile("new", vfs.Create, 0o600)), nil)
				err = c.Patch(t.Context(), dst, src, base, attr, old, route)
			}
			if err != nil || moved != int64(len(data)) || b.n["write"] != tt.writes {
				t.Errorf("%s, in place: %v, shared: %v: %v; progress %d, %v", tt.name, inPlace, shared, err, moved, b.n)
			}
			name := "new"
			if inPlace {
				name = "old"
			}
			b.wantData(t, name, data)
		}
	}
}

// shareWithOthers has two other Copiers help c with ranges of 2 MiB. What they have moved counts when they are done.
func shareWithOthers(t *testing.T, c *content.Copier, moved *int64) {
	c.Cutoff = 1
	c.SetRangeSize(2 * mib)
	c.Share = func(r *content.Ranges) func() {
		var helpers sync.WaitGroup
		for range 2 {
			helpers.Go(func() {
				other := content.Copier{Progress: func(int64) {}}
				other.Help(t.Context(), r)
			})
		}
		return func() {
			helpers.Wait()
			*moved += r.Helped()
		}
	}
}

// A cloningFile can take over another file as a whole.
type cloningFile struct {
	vfs.File
	clones int
}

func (f *cloningFile) Caps() vfs.Caps { return f.File.Caps() | vfs.CanClone }

func (f *cloningFile) Clone(src vfs.File) error {
	f.clones++
	attr, err := vfs.Stat(src)
	if err != nil {
		return err
	}
	_, err = f.CopyRange(src, 0, attr.Size)
	return err
}

// TestPatchOfAClone copies nothing that the clone has, but for the end: until the rest is in place, the new file
// must be shorter than the source.
func TestPatchOfAClone(t *testing.T) {
	data := random(10*mib + 5)
	for _, tt := range []struct {
		name           string
		old            []byte
		copies, writes int
	}{
		{"one block differs", changedAt(data, 3*mib), 2, 1},
		{"longer", append(changedAt(data, 3*mib), random(mib)...), 2, 1},
		{"shorter", changedAt(data, 3*mib)[:9*mib], 1, 6},
	} {
		b := newPatchBed(t, memfs.NewFar(), tt.old)
		b.before = func(op string, n int) error {
			if op == "truncate" && n == 1 {
				b.n["write"], b.n["copyrange"] = 0, 1 // that of Clone
			}
			return nil
		}
		src := newFake(data)
		base, old := opened(t, must(b.OpenFile("old", vfs.ReadOnly, 0)), nil)
		f, _ := opened(t, must(b.OpenFile("new", vfs.Create, 0o600)), nil)
		dst := &cloningFile{File: f}
		var moved int64
		c := content.Copier{Progress: func(n int64) { moved += n }}
		err := c.Patch(t.Context(), dst, src, base, vfs.Attr{Size: src.size, Blocks: (src.size + 511) / 512}, old, new(content.Route))
		if err != nil || dst.clones != 1 || moved != src.size || b.n["copyrange"] != tt.copies || b.n["write"] != tt.writes {
			t.Errorf("%s: %v; %d clones, progress %d, %v", tt.name, err, dst.clones, moved, b.n)
		}
		b.wantData(t, "new", data)
	}
}

// TestPatchOfAFileThatChanges has another process write into the old file between its checksums and the copy.
func TestPatchOfAFileThatChanges(t *testing.T) {
	data := random(4 * mib)
	m := memfs.NewFar()
	b := newPatchBed(t, m, data)
	b.before = func(op string, n int) error {
		if op == "copyrange" && n == 1 {
			other := m.Root()
			defer other.Close()
			f := must(other.OpenFile("old", vfs.ReadWrite, 0))
			defer f.Close()
			_, err := f.WriteAt([]byte("other"), 0)
			return err
		}
		return nil
	}
	src := newFake(data)
	base, old := opened(t, must(b.OpenFile("old", vfs.ReadOnly, 0)), nil)
	dst, _ := opened(t, must(b.OpenFile("new", vfs.Create, 0o600)), nil)
	c := content.Copier{Progress: func(int64) {}}
	if err := c.Patch(t.Context(), dst, src, base, vfs.Attr{Size: src.size, Blocks: src.size / 512}, old, new(content.Route)); err != nil {
		t.Error(err)
	}
	b.wantData(t, "new", data)
}

// TestPatchAcrossVolumes cannot copy ranges of the old file.
func TestPatchAcrossVolumes(t *testing.T) {
	data := random(4 * mib)
	b, other := newPatchBed(t, memfs.NewFar(), data), newPatchBed(t, memfs.NewFar(), nil)
	src := newFake(data)
	base, old := opened(t, must(b.OpenFile("old", vfs.ReadOnly, 0)), nil)
	dst, _ := opened(t, must(other.OpenFile("new", vfs.Create, 0o600)), nil)
	c := content.Copier{Progress: func(int64) {}}
	if err := c.Patch(t.Context(), dst, src, base, vfs.Attr{Size: src.size, Blocks: src.size / 512}, old, new(content.Route)); err != nil {
		t.Error(err)
	}
	other.wantData(t, "new", data)
	if other.n["copyrange"] != 1 {
		t.Errorf("%v", other.n)
	}
}

// TestPatchKeepsHoles writes nothing where the source has a hole.
func TestPatchKeepsHoles(t *testing.T) {
	dir := t.TempDir()
	data := make([]byte, 12*mib)
	copy(data[2*mib:], random(mib))
	copy(data[8*mib:], random(mib))
	f := must(os.Create(dir + "/f"))
	for _, off := range []int64{2 * mib, 8 * mib} {
		must(f.WriteAt(data[off:off+mib], off))
	}
	if err := errors.Join(f.Truncate(int64(len(data))), f.Close()); err != nil {
		t.Fatal(err)
	}
	near := must(localfs.Host{}.Open(dir, vfs.OpenOptions{}))
	defer near.Close()
	src, attr := opened(t, must(near.OpenFile("f", vfs.ReadOnly, 0)), nil)
	if start, end, err := src.NextData(0); err != nil || start != 2*mib || end != 3*mib {
		t.Skipf("this file system has no holes: %d, %d, %v", start, end, err)
	}
	b := newPatchBed(t, memfs.NewFar(), changedAt(data, 8*mib))
	base, old := opened(t, must(b.OpenFile("old", vfs.ReadOnly, 0)), nil)
	dst, _ := opened(t, must(b.OpenFile("new", vfs.Create, 0o600)), nil)
	c := content.Copier{Progress: func(int64) {}}
	if err := c.Patch(t.Context(), dst, src, base, attr, old, new(content.Route)); err != nil {
		t.Error(err)
	}
	b.wantData(t, "new", data)
	if b.n["copyrange"] != 2 || b.n["write"] == 0 || b.n["write"] > 4 {
		t.Errorf("%v", b.n)
	}
}
