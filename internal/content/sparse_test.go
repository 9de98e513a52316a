package content_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

const kib = 1 << 10

// A layout describes the contents of a file: the lengths of alternating pieces of data and zeros, data first.
type layout []int

func (l layout) bytes() []byte {
	var all []byte
	for i, n := range l {
		piece := make([]byte, n)
		if i%2 == 0 {
			piece = bytes.Repeat([]byte("data"), n/4+1)[:n]
		}
		all = append(all, piece...)
	}
	return all
}

// layouts and the maximum number of bytes that a copy with holes needs.
var layouts = []struct {
	name   string
	pieces layout
	needs  int64
}{
	{"empty", layout{}, 0},
	{"a byte", layout{1}, 4 * kib},
	{"a zero", layout{0, 1}, 0},
	{"less than a block of zeros", layout{0, 4095}, 0},
	{"a block of zeros", layout{0, 4096}, 0},
	{"some blocks of zeros", layout{0, 3 * 4096}, 0},
	{"dense", layout{600 * kib}, 600 * kib},
	{"all zeros", layout{0, 1 << 20}, 0},
	{"all zeros, unaligned", layout{0, 1<<20 + 77}, 0},
	{"zeros at the end", layout{100 * kib, 1 << 20}, 100 * kib},
	{"zeros at the end, unaligned", layout{100_001, 1_000_001}, 100 * kib},
	{"zeros at the start", layout{0, 1 << 20, 100 * kib}, 100 * kib},
	{"zeros at the start, unaligned", layout{0, 1_000_001, 100_001}, 104 * kib},
	{"a byte in the middle", layout{0, 500_000, 1, 500_000}, 4 * kib},
	{"a byte at the end", layout{0, 1_000_000, 1}, 4 * kib},
	{"zeros in the middle", layout{300_000, 1 << 20, 300_000}, 608 * kib},
	{"zeros from one read to the next", layout{250 * kib, 400 * kib, 250 * kib}, 508 * kib},
	{"short runs of zeros", layout{5000, 8000, 5000, 8000, 5000, 8000, 5000, 8000, 5000}, 64 * kib},
	{"runs of zeros, just long enough", layout{16 * kib, 64 * kib, 16 * kib, 64 * kib, 16 * kib}, 48 * kib},
}

// punchy is a file in memory that can have holes, and counts their bytes.
type punchy struct {
	vfs.File
	err  error // that Fallocate returns
	half bool  // Fallocate has punched a part before the error

	mu      sync.Mutex // guards what follows, and prevents holes from being punched concurrently
	calls   int
	punched int64
}

func (f *punchy) Fallocate(_ vfs.FallocateMode, off, n int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	old, err := vfs.Stat(f)
	if err != nil {
		return err
	}
	if f.half {
		n /= 2
	}
	if f.err == nil || f.half {
		f.punched += n
		if n = min(n, old.Size-off); n > 0 {
			_, err = f.WriteAt(make([]byte, n), off)
		}
	}
	return errors.Join(f.err, err)
}

func TestSparseCopy(t *testing.T) { withHelpers(t, testSparseCopy) }

func testSparseCopy(t *testing.T, helpers helpers) {
	for name, root := range map[string]vfs.Dir{
		"local":  openLocal(t, t.TempDir()),
		"memory": closing(t, memfs.New().Root()),
	} {
		for i, l := range layouts {
			for _, buffer := range []int64{0, 100_000} {
				data := l.pieces.bytes()
				src := write(t, root, fmt.Sprint("src", i, buffer), data)
				dstName := fmt.Sprint("dst", i, buffer)
				dst := create(t, root, dstName)
				moved := int64(0)
				c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, MaxBuffer: buffer, Progress: func(n int64) { moved += n }})
				if err := c.Copy(t.Context(), dst, src, stat(t, src), between()); err != nil {
					t.Fatalf("%s, %s: %v", name, l.name, err)
				}
				dst.Close()
				wantStored(t, name+", "+l.name, root, dstName, l.needs, name == "local" && hasHoles(t, root))
				if got := read(t, root, dstName); !bytes.Equal(got, data) {
					t.Errorf("%s, %s: the copy of %d bytes has %d and differs", name, l.name, len(data), len(got))
				}
				if moved != int64(len(data)) {
					t.Errorf("%s, %s: progress reported %d bytes, want %d", name, l.name, moved, len(data))
				}
				src.Close()
			}
		}
	}
}

func TestSparseOverwrite(t *testing.T) { withHelpers(t, testSparseOverwrite) }

func testSparseOverwrite(t *testing.T, helpers helpers) {
	local := openLocal(t, t.TempDir())
	punches := hasHoles(t, local) && canPunch(t, local)
	for _, l := range layouts {
		data := l.pieces.bytes()
		for old, contents := range map[string][]byte{
			"empty":    nil,
			"shorter":  bytes.Repeat([]byte("old"), 10_000),
			"as long":  bytes.Repeat([]byte("o"), len(data)),
			"longer":   bytes.Repeat([]byte("old"), 400_000),
			"the same": data,
			"zeros":    make([]byte, 700_000),
		} {
			places := []string{"local", "punching"}
			if old == "longer" {
				places = append(places, "memory", "refusing", "failing", "failing half way")
			}
			for _, place := range places {
				name := l.name + " onto " + old + ", " + place
				root := closing(t, memfs.New().Root())
				if place == "local" {
					root = openLocal(t, t.TempDir())
				}
				src := write(t, root, "src", data)
				write(t, root, "dst", contents).Close()
				dst, err := root.OpenFile("dst", vfs.ReadWrite, 0)
				if err != nil {
					t.Fatal(err)
				}
				switch place {
				case "punching":
					dst = &punchy{File: dst}
				case "refusing":
					dst = &punchy{File: dst, err: errors.ErrUnsupported}
				case "failing":
					dst = &punchy{File: dst, err: errors.New("broken")}
				case "failing half way":
					dst = &punchy{File: dst, err: errors.New("broken"), half: true}
				}
				moved := int64(0)
				c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: true}, Progress: func(n int64) { moved += n }})
				if err := c.Overwrite(t.Context(), dst, src, dense(stat(t, src)), between()); err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				dst.Close()
				wantStored(t, name, root, "dst", l.needs, place == "local" && punches)
				if got := read(t, root, "dst"); !bytes.Equal(got, data) {
					t.Errorf("%s: the copy of %d bytes has %d and differs", name, len(data), len(got))
				}
				if moved != int64(len(data)) {
					t.Errorf("%s: progress reported %d bytes, want %d", name, moved, len(data))
				}
				src.Close()
			}
		}
	}
}

func TestSparseOverwritePunches(t *testing.T) {
	for _, tt := range []struct {
		name  string
		old   int
		err   error
		calls int // for four runs of zeros within one read each
		far   int // the same where a call may be a round trip
	}{
		{"empty", 0, nil, 4, 0},
		{"with the first of them", 200 * kib, nil, 4, 1},
		{"with the start of the second", 400 * kib, nil, 4, 2},
		{"with all", 1 << 20, nil, 4, 4},
		{"with all, refused, remembered", 1 << 20, errors.ErrUnsupported, 1, 1},
		{"with all, broken, not remembered", 1 << 20, errors.New("broken"), 4, 4},
	} {
		for far, want := range map[bool]int{false: tt.calls, true: tt.far} {
			root := closing(t, memfs.New().Root())
			src := write(t, root, "src", layout{128 * kib, 64 * kib, 192 * kib, 64 * kib, 192 * kib, 64 * kib, 192 * kib, 64 * kib, 64 * kib}.bytes())
			dst := &punchy{File: rewrite(t, root, "dst", random(tt.old)), err: tt.err}
			var routes content.Routes
			route := routes.Between(content.Device{Dev: 1}, content.Device{Dev: 2, Network: far})
			c := content.Copier{Options: content.Options{Sparse: true}, Progress: func(int64) {}}
			if err := c.Overwrite(t.Context(), dst, src, dense(stat(t, src)), route); err != nil {
				t.Fatal(err)
			}
			if dst.calls != want {
				t.Errorf("onto a file %s, far %v: %d holes punched, want %d", tt.name, far, dst.calls, want)
			}
			src.Close()
		}
	}
}

// dense returns attr as if the whole file were stored.
func dense(attr vfs.Attr) vfs.Attr {
	attr.Blocks = max(attr.Blocks, attr.Size/512+1)
	return attr
}

// wantStored checks how many bytes a closed file takes on a disk with holes. An index
// of extents may take some, too.
func wantStored(t *testing.T, name string, root vfs.Dir, file string, most int64, holes bool) {
	t.Helper()
	attr, err := vfs.Lstat(root, file)
	if err != nil {
		t.Fatal(err)
	}
	if got := attr.Blocks * 512; holes && got > most+8*kib {
		t.Errorf("%s: %d bytes are stored, want %d", name, got, most)
	}
}

func hasHoles(t *testing.T, root vfs.Dir) bool {
	f := create(t, root, fmt.Sprint("hole", rand.Uint64()))
	defer f.Close()
	return f.Truncate(1<<20) == nil && stat(t, f).Blocks < 2048
}

func canPunch(t *testing.T, root vfs.Dir) bool {
	f := create(t, root, fmt.Sprint("punch", rand.Uint64()))
	defer f.Close()
	_, err := f.WriteAt(slices.Repeat([]byte{1}, 1<<20), 0)
	return err == nil && f.Fallocate(vfs.PunchHole, 0, 1<<20) == nil && stat(t, f).Blocks < 2048
}
