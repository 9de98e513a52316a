package content_test

import (
	"bytes"
	"io"
	"sync/atomic"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A silent file says that it is data from start to end, as files on NFS 3 do.
type silent struct {
	*fake
	asked atomic.Int64
}

func (f *silent) NextData(off int64) (start, end int64, err error) {
	f.asked.Add(1)
	if off >= f.size {
		return 0, 0, io.EOF
	}
	return off, f.size, nil
}

// TestHiddenHoles copies files that do not report their holes, to new files and into full ones.
func TestHiddenHoles(t *testing.T) { withHelpers(t, testHiddenHoles) }

func testHiddenHoles(t *testing.T, helpers helpers) {
	for _, l := range layouts {
		data := l.pieces.bytes()
		if len(data) == 0 {
			continue
		}
		size := int64(len(data))
		stored := l.needs < size-block
		for _, tt := range []struct {
			name    string
			blocks  int64
			options content.Options
			thin    bool
		}{
			{"blocks are missing", l.needs / 512, content.Options{}, stored},
			{"blocks are missing, zeros are looked for", l.needs / 512, content.Options{Sparse: true}, true},
			{"no blocks are missing", size/512 + 1, content.Options{}, false},
			{"blocks are unknown", -1, content.Options{}, size >= 16*kib},
			{"blocks are unknown, and to be preallocated", -1, content.Options{Preallocate: true}, false},
			{"blocks are unknown, holes unwanted", -1, content.Options{Dense: true, Reflink: content.ReflinkNever}, false},
		} {
			for _, full := range []bool{false, true} {
				root := openLocal(t, t.TempDir())
				src := &silent{fake: newFake(data)}
				attr := vfs.Attr{Size: size, Blocks: tt.blocks, Dev: 1 << 40}
				moved := int64(0)
				c := helpers.copier(t, content.Copier{Options: tt.options, Progress: func(n int64) { moved += n }})
				dst, copyTo := create(t, root, "dst"), c.Copy
				if full {
					dst.Close()
					if err := root.Remove("dst", nil); err != nil {
						t.Fatal(err)
					}
					dst, copyTo = rewrite(t, root, "dst", bytes.Repeat([]byte("x"), len(data)+5)), c.Overwrite
				}
				if err := copyTo(t.Context(), dst, src, attr, between()); err != nil {
					t.Fatalf("%s, %s: %v", l.name, tt.name, err)
				}
				made := stat(t, dst)
				dst.Close()
				if got := read(t, root, "dst"); !bytes.Equal(got, data) || moved != size {
					t.Errorf("%s, %s, full %v: the copy of %d bytes has %d and differs, or %d were reported", l.name, tt.name, full, size, len(got), moved)
				}
				if tt.thin && (!full || canPunch(t, root)) {
					wantStored(t, l.name+", "+tt.name, root, "dst", l.needs, hasHoles(t, root))
				} else if !tt.thin && !full && stored && made.Blocks*512 < size-block && made.Blocks > 0 {
					t.Errorf("%s, %s: %d of %d bytes are stored", l.name, tt.name, made.Blocks*512, size)
				}
				if n := src.asked.Load(); n > 1 {
					t.Errorf("%s, %s: asked for holes %d times", l.name, tt.name, n)
				}
			}
		}
	}
}

// A served file is on a volume that copies by itself, and that reports holes or does not.
type served struct {
	trial
	reports bool
}

func (f *served) NextData(int64) (start, end int64, err error) {
	if f.reports {
		return 0, 0, io.EOF
	}
	attr, err := vfs.Stat(f)
	return 0, attr.Size, err
}

// TestHiddenHolesOfOneVolume copies files that lack blocks to the volume that they are on. Where it reports holes, they
// have none and are compressed, so the volume copies them by itself.
func TestHiddenHolesOfOneVolume(t *testing.T) { withHelpers(t, testHiddenHolesOfOneVolume) }

func testHiddenHolesOfOneVolume(t *testing.T, helpers helpers) {
	data := layout{300 * kib, 300 * kib}.bytes()
	size := int64(len(data))
	for _, tt := range []struct {
		name    string
		reports bool
		blocks  int64
		to      uint64 // the device of dst
		ranged  bool
	}{
		{"reports holes", true, 8, 1, true},
		{"does not report holes", false, 8, 1, false},
		{"does not report holes, and no block is missing", false, size/512 - 1, 1, true},
		{"another one", true, 8, 2, false},
	} {
		var routes content.Routes
		route := routes.Between(content.Device{Dev: 1, Network: true}, content.Device{Dev: tt.to, Network: true})
		for i := range 2 {
			root := closing(t, memfs.New().Root())
			src := &silent{fake: newFake(data)}
			dst := &served{trial{File: create(t, root, "dst"), clone: io.ErrNoProgress, copyRange: func(_, n int64) (int64, error) { return n, nil }}, tt.reports}
			c := helpers.copier(t, content.Copier{Progress: func(int64) {}})
			if err := c.Copy(t.Context(), dst, src, vfs.Attr{Size: size, Blocks: tt.blocks}, route); err != nil {
				t.Fatal(err)
			}
			if got := read(t, root, "dst"); !bytes.Equal(got, data) {
				t.Errorf("a volume that %s, copy %d: the copy of %d bytes has %d and differs", tt.name, i, size, len(got))
			}
			// Short ranges are read and written.
			if (dst.ranged > 0) != (tt.ranged && helpers.rangeSize() >= 64*kib) {
				t.Errorf("a volume that %s, copy %d: it copied %d ranges by itself", tt.name, i, dst.ranged)
			}
		}
	}
}
