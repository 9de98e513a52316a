package content_test

import (
	"bytes"
	"errors"
	"slices"
	"sync"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
)

// TestSparseCopyReadsNoHoles copies files of 64 GiB with a few bytes, or a zero, at
// one place.
func TestSparseCopyReadsNoHoles(t *testing.T) { withHelpers(t, testSparseCopyReadsNoHoles) }

func testSparseCopyReadsNoHoles(t *testing.T, helpers helpers) {
	const size = 64 << 30
	for _, data := range []string{"data", "\x00"} {
		for _, at := range []int64{0, 32 << 30, size - 4} {
			src := &vast{newFake([]byte(data)), at}
			src.size = size
			dst := &lengthFile{}
			moved := int64(0)
			c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, Progress: func(n int64) { moved += n }})
			if err := c.Copy(t.Context(), dst, src, vfs.Attr{Size: size, Blocks: 8}, between()); err != nil {
				t.Fatal(err)
			}
			if n := src.reads.Load(); n != 1 {
				t.Errorf("%d reads of the source, want 1", n)
			}
			if dst.length != size || moved != size {
				t.Errorf("length %d, progress reported %d bytes, want %d", dst.length, moved, int64(size))
			}
			if got := dst.written; got > block || (got == 0) != (data == "\x00") {
				t.Errorf("%q at %d: %d bytes written", data, at, got)
			}
		}
	}
}

// A lengthFile is a file that stores only its length.
type lengthFile struct {
	bareFile
	mu              sync.Mutex // guards what follows
	writes          int
	written, length int64
}

func (f *lengthFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	f.written += int64(len(p))
	f.length = max(f.length, off+int64(len(p)))
	return len(p), nil
}

func (f *lengthFile) Truncate(size int64) error {
	f.length = size
	return nil
}

// TestSparseCopyDoesNotShred counts the writes of files that have many runs of zeros.
func TestSparseCopyDoesNotShred(t *testing.T) {
	const size = 8 << 20
	for _, tt := range []struct {
		run  int // of zeros, and of data
		far  bool
		most int // writes
	}{
		{4 * kib, false, 3 * size / (256 * kib)},
		{12 * kib, false, 3 * size / (256 * kib)},
		{16 * kib, false, size / (32 * kib)},
		{16 * kib, true, 3 * size / (1 << 20)},
		{64 * kib, true, size / (128 * kib)},
	} {
		data := slices.Repeat(layout{tt.run, tt.run}.bytes(), size/(2*tt.run)+1)[:size]
		var routes content.Routes
		route := routes.Between(content.Device{Dev: 1, Network: tt.far}, content.Device{Dev: 2})
		src := newFake(data)
		dst := &lengthFile{}
		c := content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}}
		if err := c.Copy(t.Context(), dst, src, vfs.Attr{Size: size, Blocks: size / 512}, route); err != nil {
			t.Fatal(err)
		}
		if dst.writes > tt.most {
			t.Errorf("runs of %d bytes, far %v: %d writes, want at most %d", tt.run, tt.far, dst.writes, tt.most)
		}
	}
}

func TestSparseCopyTakesNoOtherWay(t *testing.T) { withHelpers(t, testSparseCopyTakesNoOtherWay) }

func testSparseCopyTakesNoOtherWay(t *testing.T, helpers helpers) {
	root := closing(t, memfs.New().Root())
	src := write(t, root, "src", random(1<<20))
	able := trial{copyRange: func(_, n int64) (int64, error) { return n, nil }}
	c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}})

	dst := able
	dst.File = create(t, root, "new")
	if err := c.Copy(t.Context(), &dst, src, stat(t, src), between()); err != nil {
		t.Fatal(err)
	}
	over := able
	over.File = rewrite(t, root, "old", nil)
	if err := c.Overwrite(t.Context(), &over, src, dense(stat(t, src)), between()); err != nil {
		t.Fatal(err)
	}
	if n := dst.cloned + over.cloned + int(dst.ranged+over.ranged); n != 0 {
		t.Errorf("%d clones and range copies, want none", n)
	}
}

func TestSparseCopyOfWhatIsNotAsLongAsItsSize(t *testing.T) {
	withHelpers(t, testSparseCopyOfWhatIsNotAsLongAsItsSize)
}

func testSparseCopyOfWhatIsNotAsLongAsItsSize(t *testing.T, helpers helpers) {
	for _, data := range [][]byte{random(5), make([]byte, 5), layout{70_000, 130_000}.bytes(), make([]byte, 200_000)} {
		for _, tt := range []struct {
			name string
			size int64
			now  int64 // the size that Stat returns after reading
			want error
		}{
			{"shorter than its size", 1 << 20, 1 << 20, nil},
			{"of no size", 0, 0, nil},
			{"shrunk", 1 << 20, int64(len(data)), content.ErrChanged},
		} {
			for way, copyTo := range map[string]func(root vfs.Dir, src vfs.File, attr vfs.Attr) error{
				"copied": func(root vfs.Dir, src vfs.File, attr vfs.Attr) error {
					c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}})
					return c.Copy(t.Context(), create(t, root, "dst"), src, attr, between())
				},
				"overwriting": func(root vfs.Dir, src vfs.File, attr vfs.Attr) error {
					c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}})
					return c.Overwrite(t.Context(), &punchy{File: rewrite(t, root, "dst", random(300_000))}, src, attr, between())
				},
			} {
				root := closing(t, memfs.New().Root())
				src := newFake(data)
				src.size = tt.now
				err := copyTo(root, src, vfs.Attr{Size: tt.size, Blocks: tt.size / 512, Dev: 1 << 40})
				if !errors.Is(err, tt.want) {
					t.Errorf("%d bytes %s, %s: %v, want %v", len(data), tt.name, way, err, tt.want)
				}
				if _, read := errors.AsType[*content.ReadError](err); err != nil && !read {
					t.Errorf("%d bytes %s, %s: %v is no ReadError", len(data), tt.name, way, err)
				}
				if got := read(t, root, "dst"); err == nil && !bytes.Equal(got, data) {
					t.Errorf("%d bytes %s, %s: the copy has %d bytes and differs", len(data), tt.name, way, len(got))
				}
			}
		}
	}
}

func TestSparseCopyNamesSidesOfErrors(t *testing.T) { withHelpers(t, testSparseCopyNamesSidesOfErrors) }

func testSparseCopyNamesSidesOfErrors(t *testing.T, helpers helpers) {
	broken := errors.New("broken")
	data := layout{300_000, 300_000}.bytes()
	for _, op := range []string{"read", "write", "truncate"} {
		for _, over := range []bool{false, true} {
			root := closing(t, memfs.New().Root())
			write(t, root, "src", data).Close()
			write(t, root, "old", random(1_000_000)).Close()
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
			c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}})
			if over {
				dst, rerr := faulty.OpenFile("old", vfs.ReadWrite, 0)
				if rerr != nil {
					t.Fatal(rerr)
				}
				err = c.Overwrite(t.Context(), dst, src, dense(stat(t, src)), between())
			} else {
				err = c.Copy(t.Context(), create(t, faulty, "dst"), src, dense(stat(t, src)), between())
			}
			if _, read := errors.AsType[*content.ReadError](err); !errors.Is(err, broken) || read != (op == "read") {
				t.Errorf("%s fails, over an old file %v: %#v", op, over, err)
			}
		}
	}
}

// TestHolesOfTheSourceAreReclaimed copies a file with holes to a file system that may have allocated more than
// was written, for every way to copy.
func TestHolesOfTheSourceAreReclaimed(t *testing.T) { withHelpers(t, testHolesOfTheSourceAreReclaimed) }

func testHolesOfTheSourceAreReclaimed(t *testing.T, helpers helpers) {
	for _, sparse := range []bool{false, true} {
		for _, far := range []bool{false, true} {
			root := closing(t, memfs.New().Root())
			data := layout{0, 40 * kib, 100 * kib, 100 * kib, 300 * kib, 400 * kib}.bytes()
			src := &holey{newFake(data), ^uint64(0)}
			dst := &punchy{File: create(t, root, "dst")}
			c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: sparse}, Progress: func(int64) {}})
			var routes content.Routes
			route := routes.Between(content.Device{Dev: 1}, content.Device{Dev: 2, Network: far})
			if err := c.Copy(t.Context(), dst, src, vfs.Attr{Size: src.size, Blocks: 800}, route); err != nil {
				t.Fatal(err)
			}
			if got := read(t, root, "dst"); !bytes.Equal(got, data) {
				t.Errorf("sparse %v, far %v: the copy differs", sparse, far)
			}
			want := int64(500 * kib)
			if far {
				want = 0
			}
			if dst.punched != want {
				t.Errorf("sparse %v, far %v: %d bytes reclaimed, want %d", sparse, far, dst.punched, want)
			}
		}
	}
}

// TestZerosAreReclaimed does the same for zeros that become holes, including zeros at the start of a range.
func TestZerosAreReclaimed(t *testing.T) { withHelpers(t, testZerosAreReclaimed) }

func testZerosAreReclaimed(t *testing.T, helpers helpers) {
	root := closing(t, memfs.New().Root())
	src := write(t, root, "src", layout{128 * kib, 256 * kib, 128 * kib}.bytes())
	dst := &punchy{File: create(t, root, "dst")}
	c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}})
	if err := c.Copy(t.Context(), dst, src, dense(stat(t, src)), between()); err != nil {
		t.Fatal(err)
	}
	if dst.punched != 256*kib {
		t.Errorf("%d bytes reclaimed, want %d", dst.punched, 256*kib)
	}
}
