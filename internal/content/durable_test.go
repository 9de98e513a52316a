package content_test

import (
	"bytes"
	"io"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A zeroHoles is a file whose zeros are holes, in whole blocks.
type zeroHoles struct{ *fake }

func (f zeroHoles) NextData(off int64) (start, end int64, err error) {
	hole := func(off int64) bool {
		return bytes.Count(f.data[off:min(off+block, f.size)], []byte{0}) == int(min(block, f.size-off))
	}
	for start = off; start < f.size && hole(start); start += block {
	}
	if start >= f.size {
		return 0, 0, io.EOF
	}
	for end = start; end < f.size && !hole(end); end += block {
	}
	return start, min(end, f.size), nil
}

// A syncing file records when it was synced.
type syncing struct {
	vfs.File
	t      *testing.T
	synced int
	late   bool // the file has changed since then
}

func (f *syncing) WriteAt(p []byte, off int64) (int, error) {
	f.late = true
	return f.File.WriteAt(p, off)
}

func (f *syncing) Truncate(size int64) error {
	f.late = true
	return f.File.Truncate(size)
}

func (f *syncing) Sync() error {
	f.synced++
	f.late = false
	return nil
}

// TestDurableCopiesAreSynced checks that files whose loss would go unnoticed are synced, after the last change,
// and that no other files are synced.
func TestDurableCopiesAreSynced(t *testing.T) {
	data, zeros := random(4*block), make([]byte, 4*block)
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	for _, tt := range []struct {
		name   string
		copier content.Copier
		data   []byte
		dst    []byte // nil: the destination is new
		want   int
	}{
		{"dense", content.Copier{Durable: true}, join(data, data), nil, 0},
		{"empty", content.Copier{Durable: true}, nil, nil, 0},
		{"nothing but a hole", content.Copier{Durable: true}, zeros, nil, 0},
		{"a hole at the start", content.Copier{Durable: true}, join(zeros, data), nil, 1},
		{"a hole between", content.Copier{Durable: true}, join(data, zeros, data), nil, 1},
		{"a hole at the end", content.Copier{Durable: true}, join(data, zeros), nil, 1},
		{"a hole, not durable", content.Copier{}, join(data, zeros), nil, 0},
		{"a hole made dense", content.Copier{Options: content.Options{Dense: true, Reflink: content.ReflinkNever}, Durable: true}, join(data, zeros), nil, 0},
		{"sparse, without zeros", content.Copier{Options: content.Options{Sparse: true}, Durable: true}, join(data, data), nil, 0},
		{"sparse, zeros at the start", content.Copier{Options: content.Options{Sparse: true}, Durable: true}, join(zeros, data), nil, 1},
		{"sparse, zeros at the end", content.Copier{Options: content.Options{Sparse: true}, Durable: true}, join(data, zeros), nil, 1},
		{"sparse, nothing but zeros", content.Copier{Options: content.Options{Sparse: true}, Durable: true}, zeros, nil, 0},
		{"overwritten", content.Copier{Durable: true}, data, random(5000), 1},
		{"overwritten, not durable", content.Copier{}, data, random(5000), 0},
		{"overwritten by a hole and data", content.Copier{Durable: true}, join(zeros, data), random(5000), 1},
		{"overwritten by nothing", content.Copier{Durable: true}, nil, random(5000), 0},
	} {
		root := closing(t, memfs.New().Root())
		write(t, root, "dst", tt.dst)
		f, err := root.OpenFile("dst", vfs.ReadWrite, 0)
		if err != nil {
			t.Fatal(err)
		}
		dst := &syncing{File: f, t: t}
		src := zeroHoles{newFake(tt.data)}
		attr := vfs.Attr{Size: src.size, Blocks: (src.size - int64(bytes.Count(tt.data, zeros[:block]))*block) / 512, Ino: 1}
		c := tt.copier
		c.Progress = func(int64) {}
		move := c.Copy
		if tt.dst != nil {
			move = c.Overwrite
		}
		if err := move(t.Context(), dst, src, attr, between()); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if dst.synced != tt.want || dst.synced > 0 && dst.late {
			t.Errorf("%s: synced %d times, want %d; changed afterwards: %v", tt.name, dst.synced, tt.want, dst.late)
		}
		if got := read(t, root, "dst"); !bytes.Equal(got, tt.data) {
			t.Errorf("%s: the copy differs", tt.name)
		}
		f.Close()
	}
}

// TestSharedCopiesAreSynced copies a file by several workers, each of which may be ahead of the others.
func TestSharedCopiesAreSynced(t *testing.T) {
	for _, n := range []helpers{1, 4} {
		root := closing(t, memfs.New().Root())
		src := write(t, root, "src", random(600_000))
		dst := &countingSync{File: create(t, root, "dst")}
		c := n.copier(t, content.Copier{Durable: true, Progress: func(int64) {}})
		if err := c.Copy(t.Context(), dst, src, dense(stat(t, src)), between()); err != nil || dst.synced != 1 {
			t.Errorf("%d helpers: %v, synced %d times", n, err, dst.synced)
		}
	}
}

type countingSync struct {
	vfs.File
	synced int
}

func (f *countingSync) Sync() error { f.synced++; return nil }
