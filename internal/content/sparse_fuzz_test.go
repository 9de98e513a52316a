package content_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// FuzzSparse copies any contents, with and without holes, to a new file and over any old file.
func FuzzSparse(f *testing.F) {
	f.Add(uint64(1), uint32(100_000), uint32(50_000), uint32(0), false)
	f.Add(uint64(2), uint32(1<<20), uint32(2<<20), uint32(100_000), true)
	f.Add(uint64(3), uint32(0), uint32(10), uint32(0), true)
	f.Add(uint64(4), uint32(700_001), uint32(700_000), uint32(70_001), false)
	f.Fuzz(func(t *testing.T, seed uint64, size, oldSize, buffer uint32, far bool) {
		r := rand.New(rand.NewPCG(seed, 5))
		data := patches(r, int(size%(2<<20)))
		attr := vfs.Attr{Size: int64(len(data)), Blocks: int64(len(data)/512 + 1), Dev: 1 << 40}
		var holes uint64
		if r.IntN(2) == 0 {
			attr.Blocks, holes = 0, r.Uint64()
		}
		c := content.Copier{Options: content.Options{Sparse: true}, MaxBuffer: int64(buffer % (1 << 20)), Progress: func(int64) {}}
		for _, local := range []bool{false, true} {
			root := closing(t, memfs.New().Root())
			if local {
				root = openLocal(t, t.TempDir())
			}
			var routes content.Routes
			route := routes.Between(content.Device{Dev: 1, Network: far}, content.Device{Dev: 2})
			src := source{&holey{newFake(data), holes}, attr}
			dst := create(t, root, "new")
			if err := c.Copy(t.Context(), dst, src, attr, route); err != nil {
				t.Fatal(err)
			}
			dst.Close()
			old := patches(r, int(oldSize%(2<<20)))
			dst = rewrite(t, root, "old", old)
			if r.IntN(2) == 0 && !local {
				dst = &punchy{File: dst}
			}
			if err := c.Overwrite(t.Context(), dst, src, attr, route); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"new", "old"} {
				if got := read(t, root, name); !bytes.Equal(got, data) {
					t.Errorf("%s, local %v: %d bytes became %d and differ", name, local, len(data), len(got))
				}
			}
		}
	})
}
