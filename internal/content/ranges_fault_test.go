package content_test

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

// An ableDir has files that report holes, can have holes, and are copied within the kernel.
type ableDir struct {
	vfs.Dir
	data  []byte // the contents of opened files
	holes uint64 // see holey
}

func (d ableDir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	if !mode.Writes() {
		return ableSource{&holey{newFake(d.data), d.holes}}, nil
	}
	f, err := d.Dir.OpenFile(name, mode, perm)
	return &able{punchy: punchy{File: f}}, err
}

type ableSource struct{ *holey }

func (ableSource) Caps() vfs.Caps { return 0 }
func (ableSource) Close() error   { return nil }

func (s ableSource) attr(sparse bool) vfs.Attr {
	a := vfs.Attr{Size: s.size, Blocks: s.size/512 + 1, Dev: 1 << 40}
	if sparse {
		a.Blocks = 0
	}
	return a
}

type able struct{ punchy }

func (f *able) Caps() vfs.Caps { return f.File.Caps() | vfs.CanCopyRange }

func (f *able) CopyRange(src vfs.File, off, n int64) (int64, error) {
	return n, plain(f.File, src, off, n)
}

// An action is an operation of a Copier on a file.
type action struct {
	name   string
	sparse bool // the source has holes
	copier content.Copier
	do     func(t *testing.T, c *content.Copier, d vfs.Dir, attr vfs.Attr) error
}

func copyFile(t *testing.T, c *content.Copier, d vfs.Dir, attr vfs.Attr) error {
	src, err := d.OpenFile("src", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c.Copy(t.Context(), create(t, d, "dst"), src, attr, between())
}

func overwriteFile(t *testing.T, c *content.Copier, d vfs.Dir, attr vfs.Attr) error {
	src, err := d.OpenFile("src", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	f := create(t, d, "dst").(interface{ Unwrap() vfs.File }).Unwrap()
	if _, err := f.WriteAt(bytes.Repeat([]byte("old"), 100_000), 0); err != nil {
		t.Fatal(err)
	}
	dst, err := d.OpenFile("dst", vfs.ReadWrite, 0)
	if err != nil {
		t.Fatal(err)
	}
	return c.Overwrite(t.Context(), dst, src, attr, between())
}

func compareFiles(t *testing.T, c *content.Copier, d vfs.Dir, attr vfs.Attr) error {
	src, err := d.OpenFile("src", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	other, err := d.OpenFile("other", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	equal, err := c.Equal(t.Context(), src, other, attr.Size)
	if err == nil && !equal {
		t.Error("a file differs from itself")
	}
	return err
}

var actions = []action{
	{"copy", false, content.Copier{}, copyFile},
	{"copy, never within the kernel", false, content.Copier{Options: content.Options{Reflink: content.ReflinkNever}}, copyFile},
	{"copy of holes", true, content.Copier{}, copyFile},
	{"sparse copy", false, content.Copier{Options: content.Options{Sparse: true}}, copyFile},
	{"sparse copy of holes", true, content.Copier{Options: content.Options{Sparse: true}}, copyFile},
	{"overwrite", false, content.Copier{}, overwriteFile},
	{"overwrite by holes", true, content.Copier{}, overwriteFile},
	{"sparse overwrite", false, content.Copier{Options: content.Options{Sparse: true}}, overwriteFile},
	{"comparison", false, content.Copier{}, compareFiles},
}

// TestFaultsAreTheSameWithHelpers makes each operation fail from its first call on, from its second call on,
// and so on.
func TestFaultsAreTheSameWithHelpers(t *testing.T) {
	broken := errors.New("broken")
	data := layout{100 * kib, 60 * kib, 120 * kib, 60 * kib, 0, 30 * kib}.bytes()
	ops := []string{"read", "write", "truncate", "stat", "nextdata", "copyrange", "punchhole", "preallocate"}
	failed := make(map[string]int)
	for _, action := range actions {
		for _, op := range ops {
			for first := range int64(3) {
				var alone error
				for _, helpers := range []helpers{0, 1, 4} {
					mem := closing(t, memfs.New().Root())
					var seen atomic.Int64
					dir := faultfs.New(ableDir{mem, data, ^uint64(0)}, func(o, _ string) error {
						if o == op && seen.Add(1) > first {
							return broken
						}
						return nil
					})
					c := action.copier
					c.Progress = func(int64) {}
					c.Preallocate = true
					attr := ableSource{&holey{newFake(data), 0}}.attr(action.sparse)
					err := action.do(t, helpers.copier(t, c), dir, attr)
					if helpers == 0 {
						alone = err
					}
					// The order in which the two compared files are read is unspecified.
					same := action.name == "comparison" && first > 0 || err != nil && alone != nil && err.Error() == alone.Error() && isRead(err) == isRead(alone)
					if err != nil && !errors.Is(err, broken) || alone != nil && (err == nil || !same) {
						t.Errorf("%s, %s fails from %d on, %d helpers: %#v, alone %#v", action.name, op, first, helpers, err, alone)
					}
					if err != nil {
						failed[op]++
					} else if action.name != "comparison" && !bytes.Equal(read(t, mem, "dst"), data) {
						t.Errorf("%s, %s fails from %d on, %d helpers: no error, but the copy differs", action.name, op, first, helpers)
					}
				}
			}
		}
	}
	for _, op := range []string{"read", "write", "truncate", "stat", "nextdata"} {
		if failed[op] == 0 {
			t.Errorf("no failed %s was an error", op)
		}
	}
}

func isRead(err error) bool {
	_, ok := errors.AsType[*content.ReadError](err)
	return ok
}

// FuzzRanges copies with and without helpers, into a file system with holes.
func FuzzRanges(f *testing.F) {
	f.Add(uint64(1), uint32(100_000), uint32(50_000), uint8(0))
	f.Add(uint64(2), uint32(1<<20), uint32(2<<20), uint8(1))
	f.Add(uint64(3), uint32(1<<20), uint32(10), uint8(2))
	f.Add(uint64(4), uint32(700_000), uint32(700_000), uint8(3))
	f.Add(uint64(5), uint32(2<<20-1), uint32(3000), uint8(7))
	f.Fuzz(func(t *testing.T, seed uint64, size, oldSize uint32, kind uint8) {
		r := rand.New(rand.NewPCG(seed, 4))
		data := patches(r, int(size%(2<<20)))
		old := random(int(oldSize % (2 << 20)))
		holes := r.Uint64()
		root := openLocal(t, t.TempDir())
		src := ableSource{&holey{newFake(data), holes}}
		attr := src.attr(kind&1 != 0)
		names := []string{"alone", "one", "four"}
		var blocks []int64
		for i, helpers := range []helpers{0, 1, 4} {
			moved := int64(0)
			c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: kind&2 != 0}, Progress: func(n int64) { moved += n }})
			var dst vfs.File
			var err error
			if kind&4 != 0 {
				dst = rewrite(t, root, names[i], old)
				err = c.Overwrite(t.Context(), dst, src, attr, between())
			} else {
				dst = create(t, root, names[i])
				err = c.Copy(t.Context(), dst, src, attr, between())
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, root, names[i]); !bytes.Equal(got, data) {
				t.Errorf("%s: %d bytes became %d and differ", names[i], len(data), len(got))
			}
			if moved != int64(len(data)) {
				t.Errorf("%s: progress reported %d bytes, want %d", names[i], moved, len(data))
			}
			blocks = append(blocks, stat(t, dst).Blocks)
			other := slices.Clone(data)
			if len(data) > 0 && seed&1 == 0 {
				other[r.IntN(len(data))]++
			}
			b := &holey{newFake(other), holes}
			if equal, err := c.Equal(t.Context(), src, b, src.size); err != nil || equal != bytes.Equal(data, other) {
				t.Errorf("%s: Equal = %v, %v", names[i], equal, err)
			}
		}
		// A run of zeros is worth a hole at the edge of a range, however short, and a
		// file system may keep some bytes of an index.
		if slices.Max(blocks[1:]) > blocks[0]+64 {
			t.Errorf("%d blocks without helpers, %d with them", blocks[0], blocks[1:])
		}
	})
}
