package content

import (
	"bytes"
	"errors"
	"sync"

	"psync/internal/vfs"
)

// block is the unit in which zeros are looked for, at its multiples within the file.
// It is what file systems allocate at least, but for a few made for tiny files.
const block = 4096

// A sparseWriter is a file that is written from its start to its end, or in parts that
// are, in which zeros become holes.
type sparseWriter struct {
	vfs.File
	route *Route

	start  int64 // of what is written here
	length int64 // of the file within
	seen   int64 // the end of all that came
	gaps   bool  // zeros were left out before, between or after data

	mu   sync.Mutex // guards data where parts join
	data int64      // the end of what was written; what came after it was zeros
}

// part returns f to write what begins at off, while others write other parts.
func (f *sparseWriter) part(off int64) *sparseWriter {
	return &sparseWriter{File: f.File, route: f.route, start: off, length: f.length}
}

// join adds the result of a part to f.
func (f *sparseWriter) join(part *sparseWriter) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.data = max(f.data, part.data)
}

// WriteAt writes p without its long runs of zeros.
func (f *sparseWriter) WriteAt(p []byte, off int64) (int, error) {
	least := f.route.minHole()
	for n := 0; n < len(p); {
		from, to := nextZeros(p, n, off, least)
		if from > n {
			if m, err := f.File.WriteAt(p[n:from], off+int64(n)); err != nil {
				return n + m, err
			}
			f.gaps = f.gaps || off+int64(n) > f.data
			f.data = off + int64(from)
			f.length = max(f.length, f.data)
		}
		if err := f.blank(p[from:to], off+int64(from)); err != nil {
			return from, err
		}
		n = to
	}
	f.seen = off + int64(len(p))
	return len(p), nil
}

// blank makes the file read as zeros where zeros would be written.
func (f *sparseWriter) blank(zeros []byte, off int64) error {
	switch n := int64(len(zeros)); {
	case n == 0:
		return nil
	case off >= f.length: // it does already
		if f.start > 0 || f.data > 0 {
			f.route.reclaim(f.File, off, n)
		}
		return nil
	case f.route.punchHole(f.File, off, n):
		return nil
	}
	_, err := f.File.WriteAt(zeros[:min(int64(len(zeros)), f.length-off)], off)
	return err
}

// Caps leaves out what would get bytes, or blocks for zeros, past WriteAt.
func (f *sparseWriter) Caps() vfs.Caps {
	return f.File.Caps() &^ (vfs.CanClone | vfs.CanCopyRange | vfs.CanPreallocate)
}

func (f *sparseWriter) Clone(vfs.File) error { return errors.ErrUnsupported }

func (f *sparseWriter) CopyRange(vfs.File, int64, int64) (int64, error) {
	return 0, errors.ErrUnsupported
}

func (f *sparseWriter) Preallocate(int64) error { return errors.ErrUnsupported }

// Truncate sets the length. What is zeros to the end is cut off before, which makes
// a hole of it on every file system that has holes.
func (f *sparseWriter) Truncate(size int64) error {
	if f.data < min(size, f.length) {
		if err := f.File.Truncate(f.data); err != nil {
			return err
		}
	}
	f.length, f.seen = size, size
	return f.File.Truncate(size)
}

// finish gives a file that ends in a hole its length.
func (f *sparseWriter) finish() error {
	if f.length >= f.seen {
		return nil
	}
	f.gaps = f.gaps || f.data > 0
	return f.Truncate(f.seen)
}

// nextZeros returns the first run of zeros p[from:to], in whole blocks of the file
// that p[0] has the offset off in, that begins at n or later and is worth a hole;
// two times the length of p if there is none. A run at an edge of p is worth one
// however short it is, for it may go on beyond.
func nextZeros(p []byte, n int, off int64, least int) (from, to int) {
	blockEnd := func(n int) int { return min(n+block-int((off+int64(n))%block), len(p)) }
	for n < len(p) {
		from = n
		for n < len(p) && zero(p[n:blockEnd(n)]) {
			n = blockEnd(n)
		}
		if n > from && (from == 0 || n == len(p) || n-from >= least) {
			return from, n
		}
		if n < len(p) {
			n = blockEnd(n)
		}
	}
	return len(p), len(p)
}

// zero reports whether all bytes of p, which is not empty, are zero: the first one is,
// and each is the same as the next one. No loop over words is faster than the
// comparison that bytes.Equal comes down to.
func zero(p []byte) bool {
	return p[0] == 0 && bytes.Equal(p[:len(p)-1], p[1:])
}
