// Package sparse writes files with holes where their bytes are zeros.
package sparse

import (
	"bytes"
	"errors"
	"sync"

	"psync/internal/vfs"
)

// Block is the unit in which zeros are looked for, at multiples of Block within the file. Except for a few
// file systems made for tiny files, it is the smallest unit that file systems allocate.
const Block = 4096

// A Volume makes holes in files.
type Volume interface {
	// MinHole returns how many zero bytes between data are worth a hole.
	MinHole() int
	// PunchHole reports whether it has turned a range of f into a hole.
	PunchHole(f vfs.File, off, n int64) bool
	// Reclaim frees what may have been allocated beyond the end of f, where a hole follows.
	Reclaim(f vfs.File, off, n int64)
}

// A File is a file in which zeros become holes. The file, or each part of it, is written from start to
// end.
type File struct {
	vfs.File
	volume Volume

	start  int64 // the start of the part that is written
	length int64 // the length of the underlying file
	seen   int64 // the end of all bytes received
	gaps   bool  // see Gaps

	mu   sync.Mutex // guards data where parts join
	data int64      // the end of the written bytes; all later bytes were zeros
}

// New returns f, whose length is given, as a file in which zeros become holes.
func New(f vfs.File, on Volume, length int64) *File {
	return &File{File: f, volume: on, length: length}
}

// Gaps reports whether zeros were skipped before, between or after data.
func (f *File) Gaps() bool { return f.gaps }

// Part returns a File for the part of f that begins at off, while other parts are written at the same
// time.
func (f *File) Part(off int64) *File {
	return &File{File: f.File, volume: f.volume, start: off, length: f.length}
}

// Join adds the result of a part to f.
func (f *File) Join(part *File) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.data = max(f.data, part.data)
}

// WriteAt writes p without its long runs of zeros.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	least := f.volume.MinHole()
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
func (f *File) blank(zeros []byte, off int64) error {
	switch n := int64(len(zeros)); {
	case n == 0:
		return nil
	case off >= f.length: // the file already reads as zeros there
		if f.start > 0 || f.data > 0 {
			f.volume.Reclaim(f.File, off, n)
		}
		return nil
	case f.volume.PunchHole(f.File, off, n):
		return nil
	}
	_, err := f.File.WriteAt(zeros[:min(int64(len(zeros)), f.length-off)], off)
	return err
}

// Caps leaves out the abilities that would move bytes without WriteAt.
func (f *File) Caps() vfs.Caps { return f.File.Caps() &^ (vfs.CanClone | vfs.CanCopyRange) }

func (f *File) Clone(vfs.File) error { return errors.ErrUnsupported }

func (f *File) CopyRange(vfs.File, int64, int64) (int64, error) {
	return 0, errors.ErrUnsupported
}

// Truncate sets the length. It first cuts off the zeros at the end, which makes them a hole on every file
// system that has holes.
func (f *File) Truncate(size int64) error {
	if f.data < min(size, f.length) {
		if err := f.File.Truncate(f.data); err != nil {
			return err
		}
	}
	f.length, f.seen = size, size
	return f.File.Truncate(size)
}

// Finish sets the length of a file that ends in a hole.
func (f *File) Finish() error {
	if f.length >= f.seen {
		return nil
	}
	f.gaps = f.gaps || f.data > 0
	return f.Truncate(f.seen)
}

// nextZeros returns the first run of zeros p[from:to] that begins at n or later and is worth a hole, or the
// length of p twice if there is none. The run consists of whole blocks of the file; off is the offset of p[0]
// in the file. Any run at an edge of p is worth a hole, because it may continue beyond the edge.
func nextZeros(p []byte, n int, off int64, least int) (from, to int) {
	blockEnd := func(n int) int { return min(n+Block-int((off+int64(n))%Block), len(p)) }
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
