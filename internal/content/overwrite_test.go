package content_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

// rewrite opens a file with the given contents for writing in place.
func rewrite(t testing.TB, d vfs.Dir, name string, old []byte) vfs.File {
	t.Helper()
	write(t, d, name, old).Close()
	f, err := d.OpenFile(name, vfs.ReadWrite, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// closing closes a directory when the test ends.
func closing(t testing.TB, d vfs.Dir) vfs.Dir {
	t.Cleanup(func() { d.Close() })
	return d
}

// between returns a route that was not taken yet.
func between() *content.Route {
	var routes content.Routes
	return routes.Between(content.Device{Dev: 1}, content.Device{Dev: 2})
}

// A truncated file records the shortest length that it was truncated to.
type truncated struct {
	vfs.File
	shortest int64
}

func (f *truncated) Truncate(size int64) error {
	f.shortest = min(f.shortest, size)
	return f.File.Truncate(size)
}

// A source is a file whose reported attributes can be set freely.
type source struct {
	*holey
	attr vfs.Attr
}

func (s source) Statx(vfs.StatxWant) (vfs.Attr, error) { return s.attr, nil }

func TestOverwrite(t *testing.T) { withHelpers(t, testOverwrite) }

func testOverwrite(t *testing.T, helpers helpers) {
	const size = 300_000
	dense := random(size)
	gaps := slices.Clone(dense)
	clear(gaps[10_000:200_000])
	clear(gaps[290_000:])
	sources := []struct {
		name   string
		data   []byte
		size   int64 // by its attributes
		blocks int64
		keeps  bool // the destination is not emptied first
	}{
		{"dense", dense, size, size/512 + 1, true},
		{"with holes", gaps, size, 200, false},
		{"nothing but a hole", make([]byte, size), size, 0, false},
		{"small", dense[:10], 10, 8, true},
		{"empty", nil, 0, 0, false},
		{"of unknown size", dense, 0, 0, false},
		{"shorter than its size", dense[:5], 4096, 8, true},
	}
	olds := map[string][]byte{
		"empty":    nil,
		"shorter":  bytes.Repeat([]byte("old"), 1000),
		"as long":  bytes.Repeat([]byte("o"), size),
		"longer":   bytes.Repeat([]byte("old"), size),
		"the same": dense,
	}
	unsupported := func(int64, int64) (int64, error) { return 0, errors.ErrUnsupported }
	half := func(off, n int64) (int64, error) {
		if off > 0 {
			return 0, nil
		}
		return min(n, 150_000), nil
	}
	for _, src := range sources {
		for old, contents := range olds {
			for way, able := range map[string]trial{
				"through the buffer": {clone: errors.ErrUnsupported, copyRange: unsupported},
				"half in the kernel": {clone: errors.ErrUnsupported, copyRange: half},
				"cloned":             {copyRange: unsupported},
				"clone broken":       {clone: errors.New("broken"), copyRange: unsupported},
			} {
				if way == "cloned" && src.name == "shorter than its size" {
					continue // such files are never on devices that clone
				}
				root := closing(t, memfs.New().Root())
				dst := &truncated{rewrite(t, root, "dst", contents), int64(len(contents))}
				able.File = dst
				s := source{&holey{newFake(src.data), ^uint64(0)}, vfs.Attr{Size: src.size, Blocks: src.blocks, Dev: 1 << 40}}
				moved := int64(0)
				c := helpers.copier(t, content.Copier{Progress: func(n int64) { moved += n }})
				if err := c.Overwrite(t.Context(), &able, s, s.attr, between()); err != nil {
					t.Errorf("%s onto %s, %s: %v", src.name, old, way, err)
					continue
				}
				if got := read(t, root, "dst"); !bytes.Equal(got, src.data) {
					t.Errorf("%s onto %s, %s: the copy of %d bytes has %d and differs", src.name, old, way, len(src.data), len(got))
				}
				if moved != int64(len(src.data)) {
					t.Errorf("%s onto %s, %s: progress reported %d bytes, want %d", src.name, old, way, moved, len(src.data))
				}
				if keeps := dst.shortest >= int64(min(len(src.data), len(contents))); src.keeps && !keeps {
					t.Errorf("%s onto %s, %s: cut to %d bytes", src.name, old, way, dst.shortest)
				}
			}
		}
	}
}

func TestOverwriteWithHolesLeavesHoles(t *testing.T) {
	withHelpers(t, testOverwriteWithHolesLeavesHoles)
}

func testOverwriteWithHolesLeavesHoles(t *testing.T, helpers helpers) {
	const size = 8 << 20
	root := openLocal(t, t.TempDir())
	hole := create(t, root, "hole")
	defer hole.Close()
	if err := hole.Truncate(size); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	src, err := root.OpenFile("hole", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	attr := stat(t, src)
	if _, _, err := src.NextData(0); errors.Is(err, errors.ErrUnsupported) || attr.Blocks*512 >= size {
		t.Skip("no sparse files here")
	}
	dst := rewrite(t, root, "dst", random(size))
	c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
	if err := c.Overwrite(t.Context(), dst, src, attr, between()); err != nil {
		t.Fatal(err)
	}
	if made := stat(t, dst); made.Size != size || made.Blocks > attr.Blocks+64 {
		t.Errorf("size %d and %d blocks, want %d and about %d", made.Size, made.Blocks, size, attr.Blocks)
	}
}

func TestOverwriteRefusesTheSourceItself(t *testing.T) {
	withHelpers(t, testOverwriteRefusesTheSourceItself)
}

func testOverwriteRefusesTheSourceItself(t *testing.T, helpers helpers) {
	for name, root := range map[string]vfs.Dir{
		"local":  openLocal(t, t.TempDir()),
		"memory": closing(t, memfs.New().Root()),
	} {
		dst := rewrite(t, root, "dst", []byte("precious"))
		if err := root.Link(root, "dst", "src"); err != nil {
			t.Skip(err)
		}
		src, err := root.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
		attr := stat(t, src)
		attr.Blocks = 0 // as if it had holes
		if err := c.Overwrite(t.Context(), dst, src, attr, between()); !errors.Is(err, content.ErrSame) {
			t.Errorf("%s: Overwrite = %v, want %v", name, err, content.ErrSame)
		}
		src.Close()
		if got := read(t, root, "src"); string(got) != "precious" {
			t.Errorf("%s: the file holds %q", name, got)
		}
	}
}

func TestOverwriteOfAChangedSource(t *testing.T) { withHelpers(t, testOverwriteOfAChangedSource) }

func testOverwriteOfAChangedSource(t *testing.T, helpers helpers) {
	for _, tt := range []struct {
		name  string
		clone error
		now   int
	}{
		{"shrunk, cloned", nil, 500},
		{"grown, cloned", nil, 2000},
		{"shrunk, read", errors.ErrUnsupported, 500},
	} {
		root := closing(t, memfs.New().Root())
		src := write(t, root, "src", random(tt.now))
		attr := stat(t, src)
		attr.Size, attr.Blocks = 1000, 2
		dst := &trial{File: rewrite(t, root, "dst", random(3000)), clone: tt.clone}
		c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
		err := c.Overwrite(t.Context(), dst, src, attr, between())
		if _, read := errors.AsType[*content.ReadError](err); !read || !errors.Is(err, content.ErrChanged) {
			t.Errorf("%s: %v, want a ReadError of ErrChanged", tt.name, err)
		}
		src.Close()
	}
}

func TestOverwriteNamesSidesOfErrors(t *testing.T) { withHelpers(t, testOverwriteNamesSidesOfErrors) }

func testOverwriteNamesSidesOfErrors(t *testing.T, helpers helpers) {
	broken := errors.New("broken")
	for _, op := range []string{"stat", "read", "write", "truncate"} {
		root := closing(t, memfs.New().Root())
		src := write(t, root, "src", random(1000))
		attr := stat(t, src)
		src.Close()
		write(t, root, "dst", random(3000)).Close()
		faulty := faultfs.New(root, func(o, _ string) error {
			if o == op {
				return broken
			}
			return nil
		})
		src, err := faulty.OpenFile("src", vfs.ReadOnly, 0)
		if err != nil {
			t.Fatal(err)
		}
		dst, err := faulty.OpenFile("dst", vfs.ReadWrite, 0)
		if err != nil {
			t.Fatal(err)
		}
		c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
		err = c.Overwrite(t.Context(), dst, src, attr, between())
		if _, read := errors.AsType[*content.ReadError](err); !errors.Is(err, broken) || read != (op == "read") {
			t.Errorf("%s fails: %#v", op, err)
		}
	}
}

// FuzzOverwrite replaces any contents by those of a file with holes anywhere.
func FuzzOverwrite(f *testing.F) {
	f.Add(uint64(1), uint32(100_000), uint32(50_000))
	f.Add(uint64(2), uint32(1<<20), uint32(2<<20))
	f.Add(uint64(3), uint32(0), uint32(10))
	f.Add(uint64(4), uint32(700_000), uint32(700_000))
	f.Fuzz(func(t *testing.T, seed uint64, size, oldSize uint32) {
		r := rand.New(rand.NewPCG(seed, 3))
		data := patches(r, int(size%(2<<20)))
		root := closing(t, memfs.New().Root())
		dst := rewrite(t, root, "dst", random(int(oldSize%(2<<20))))
		attr := vfs.Attr{Size: int64(len(data)), Blocks: int64(r.IntN(len(data)/256 + 1)), Dev: 1 << 40}
		src := source{&holey{newFake(data), 0}, attr}
		if attr.Blocks*512 < attr.Size {
			src.holes = r.Uint64()
		}
		c := content.Copier{Progress: func(int64) {}}
		if err := c.Overwrite(t.Context(), dst, src, attr, between()); err != nil {
			t.Fatal(err)
		}
		if got := read(t, root, "dst"); !bytes.Equal(got, data) {
			t.Errorf("%d bytes became %d and differ", len(data), len(got))
		}
	})
}
