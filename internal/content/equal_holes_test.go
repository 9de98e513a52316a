package content_test

import (
	"errors"
	"io"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
)

// block is the smallest hole of a holey file.
const block = 4096

// A holey file reports some of its blocks of zeros as holes. The bits of holes decide in turn which blocks
// these are.
type holey struct {
	*fake
	holes uint64
}

func (h *holey) NextData(off int64) (start, end int64, err error) {
	for start = off; start < h.size && h.hole(start); {
		start = (start/block + 1) * block
	}
	if start >= h.size {
		return 0, 0, io.EOF
	}
	for end = start; end < h.size && !h.hole(end); {
		end = (end/block + 1) * block
	}
	return start, min(end, h.size), nil
}

// hole reports whether the block around off should be a hole.
func (h *holey) hole(off int64) bool {
	first := off / block * block
	if h.holes>>(first/block%64)&1 == 0 {
		return false
	}
	for _, b := range h.data[first:min(first+block, int64(len(h.data)))] {
		if b != 0 {
			return false
		}
	}
	return true
}

// A vast file has a few bytes at one place and a hole everywhere else.
type vast struct {
	*fake
	at int64
}

func (v *vast) ReadAt(p []byte, off int64) (int, error) {
	v.reads.Add(1)
	clear(p)
	if from := v.at - off; 0 <= from && from < int64(len(p)) {
		copy(p[from:], v.data)
	}
	return int(min(int64(len(p)), v.size-off)), nil
}

func (v *vast) NextData(off int64) (start, end int64, err error) {
	start = max(off, v.at/block*block)
	if end = (v.at/block + 1) * block; start >= end {
		return 0, 0, io.EOF
	}
	return start, end, nil
}

func TestEqualDoesNotReadHolesOfBoth(t *testing.T) { withHelpers(t, testEqualDoesNotReadHolesOfBoth) }

func testEqualDoesNotReadHolesOfBoth(t *testing.T, helpers helpers) {
	const size = 64 << 30
	for _, tt := range []struct {
		name     string
		at, also int64 // where the files have data
		data     string
		want     bool
		reads    int64 // of the source
	}{
		{"the same data", 32 << 30, 32 << 30, "data", true, 1},
		{"other data", 32 << 30, 32 << 30, "tada", false, 1},
		{"data in the source only", 32 << 30, 48 << 30, "data", false, 1},
		{"data in the destination only", 48 << 30, 32 << 30, "data", false, 1},
		{"zeros here and there", 32 << 30, 48 << 30, "\x00", true, 2},
		{"data at the start", 0, 0, "data", true, 1},
		{"data at the end", size - 4, size - 4, "data", true, 1},
	} {
		a, b := &vast{newFake([]byte("data")), tt.at}, &vast{newFake([]byte(tt.data)), tt.also}
		if tt.data == "\x00" {
			a.data = b.data
		}
		a.size, b.size = size, size
		c := helpers.copier(t, content.Copier{})
		equal, err := c.Equal(t.Context(), a, b, size)
		if equal != tt.want || err != nil {
			t.Errorf("%s: %v, %v; want %v", tt.name, equal, err, tt.want)
		}
		most := tt.reads
		if !tt.want && helpers > 0 {
			most++ // a helper may read the other data before the difference is found
		}
		if n := a.reads.Load(); n < tt.reads || n > most {
			t.Errorf("%s: %d reads of the source, want %d", tt.name, n, tt.reads)
		}
	}
}

// TestEqualReadsWhatIsAHoleInOneFileOnly compares stored zeros with holes.
func TestEqualReadsWhatIsAHoleInOneFileOnly(t *testing.T) {
	withHelpers(t, testEqualReadsWhatIsAHoleInOneFileOnly)
}

func testEqualReadsWhatIsAHoleInOneFileOnly(t *testing.T, helpers helpers) {
	const size = 10 * piece
	dense, sparse := newFake(make([]byte, size)), &holey{newFake(make([]byte, size)), ^uint64(0)}
	touched := newFake(make([]byte, size))
	touched.data[5*piece]++
	for _, tt := range []struct {
		name string
		a, b vfs.File
		want bool
	}{
		{"a has holes", sparse, dense, true},
		{"b has holes", dense, sparse, true},
		{"a has holes, b data", sparse, touched, false},
		{"b has holes, a data", touched, sparse, false},
		{"no file reports them", unknowing{sparse}, unknowing{touched}, false},
	} {
		c := helpers.copier(t, content.Copier{})
		if equal, err := c.Equal(t.Context(), tt.a, tt.b, size); equal != tt.want || err != nil {
			t.Errorf("%s: %v, %v; want %v", tt.name, equal, err, tt.want)
		}
	}
}

// An unknowing file is on a file system that cannot report holes.
type unknowing struct{ vfs.File }

func (unknowing) NextData(int64) (start, end int64, err error) {
	return 0, 0, errors.ErrUnsupported
}

// TestEqualTakesNoMissingEndForAHole shortens, or lengthens, a file that ended in a hole.
func TestEqualTakesNoMissingEndForAHole(t *testing.T) {
	withHelpers(t, testEqualTakesNoMissingEndForAHole)
}

func testEqualTakesNoMissingEndForAHole(t *testing.T, helpers helpers) {
	const size = 10 * piece
	for _, now := range []int64{0, piece, size - 1, size + 1} {
		for _, source := range []bool{true, false} {
			a, b := &holey{newFake(make([]byte, size)), ^uint64(0)}, &holey{newFake(make([]byte, size)), ^uint64(0)}
			if source {
				a.size = now
			} else {
				b.size = now
			}
			c := helpers.copier(t, content.Copier{})
			equal, err := c.Equal(t.Context(), a, b, size)
			_, read := errors.AsType[*content.ReadError](err)
			if equal || !errors.Is(err, content.ErrChanged) || read != source {
				t.Errorf("the source: %v, now %d bytes: %v, %#v; want ErrChanged", source, now, equal, err)
			}
		}
	}
}

// A seekless file returns an error when it is asked for holes.
type seekless struct {
	vfs.File
	err error
}

func (s seekless) NextData(int64) (start, end int64, err error) { return 0, 0, s.err }

func TestEqualNamesSidesOfFailedSeeks(t *testing.T) { withHelpers(t, testEqualNamesSidesOfFailedSeeks) }

func testEqualNamesSidesOfFailedSeeks(t *testing.T, helpers helpers) {
	broken := errors.New("broken")
	data := random(piece + 1)
	for _, source := range []bool{true, false} {
		var a, b vfs.File = newFake(data), newFake(data)
		if source {
			a = seekless{a, broken}
		} else {
			b = seekless{b, broken}
		}
		c := helpers.copier(t, content.Copier{})
		if equal, err := c.Equal(t.Context(), a, b, piece); !equal || err != nil {
			t.Errorf("a small file was asked for holes: %v, %v", equal, err)
		}
		equal, err := c.Equal(t.Context(), a, b, piece+1)
		_, read := errors.AsType[*content.ReadError](err)
		if equal || !errors.Is(err, broken) || read != source {
			t.Errorf("the source: %v: %v, %#v; want %v", source, equal, err, broken)
		}
	}
}
