package content_test

import (
	"bytes"
	"errors"
	"slices"
	"syscall"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// An allocator is a file that records its allocations.
type allocator struct {
	vfs.File
	err   error // that Fallocate returns
	sizes []int64
}

func (f *allocator) Fallocate(mode vfs.FallocateMode, _, size int64) error {
	if mode != vfs.Preallocate {
		return errors.ErrUnsupported
	}
	f.sizes = append(f.sizes, size)
	return f.err
}

func TestPreallocate(t *testing.T) {
	const size = 600_000
	for _, tt := range []struct {
		name   string
		copier content.Copier
		size   int
		holes  bool
		err    error
		want   error
		sizes  []int64 // in two copies on one route
	}{
		{"not wanted", content.Copier{}, size, false, nil, nil, nil},
		{"wanted", content.Copier{Options: content.Options{Preallocate: true}}, size, false, nil, nil, []int64{size, size}},
		{"one write allocates all", content.Copier{Options: content.Options{Preallocate: true}}, 256 * kib, false, nil, nil, nil},
		{"holes stay", content.Copier{Options: content.Options{Preallocate: true}}, size, true, nil, nil, nil},
		{"holes are made", content.Copier{Options: content.Options{Preallocate: true, Sparse: true}}, size, false, nil, nil, nil},
		{"refused, remembered", content.Copier{Options: content.Options{Preallocate: true}}, size, false, errors.ErrUnsupported, nil, []int64{size}},
		{"the disk is full", content.Copier{Options: content.Options{Preallocate: true}}, size, false, syscall.ENOSPC, syscall.ENOSPC, []int64{size, size}},
	} {
		route := between()
		var sizes []int64
		for range 2 {
			root := closing(t, memfs.New().Root())
			src := write(t, root, "src", random(tt.size))
			attr := dense(stat(t, src))
			if tt.holes {
				attr.Blocks = 8
			}
			dst := &allocator{File: create(t, root, "dst"), err: tt.err}
			c := tt.copier
			c.Progress = func(int64) {}
			err := c.Copy(t.Context(), dst, src, attr, route)
			if !errors.Is(err, tt.want) || isRead(err) {
				t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
			}
			got := read(t, root, "dst")
			if err == nil && !bytes.Equal(got, random(tt.size)) {
				t.Errorf("%s: the copy has %d bytes and differs", tt.name, len(got))
			}
			if err != nil && len(got) > 0 {
				t.Errorf("%s: %d bytes were written", tt.name, len(got))
			}
			sizes = append(sizes, dst.sizes...)
		}
		if !slices.Equal(sizes, tt.sizes) {
			t.Errorf("%s: %d were allocated, want %d", tt.name, sizes, tt.sizes)
		}
	}
}

func TestClonesAreNotPreallocated(t *testing.T) {
	root := closing(t, memfs.New().Root())
	src := write(t, root, "src", random(600_000))
	within := &allocator{File: create(t, root, "dst")}
	c := content.Copier{Options: content.Options{Preallocate: true}, Progress: func(int64) {}}
	if err := c.Copy(t.Context(), &trial{File: within}, src, stat(t, src), between()); err != nil || within.sizes != nil {
		t.Errorf("Copy = %v, and %d were allocated", err, within.sizes)
	}
}

// TestNoBlocksStayBehindTheEnd preallocates blocks for a file that ends before its size.
func TestNoBlocksStayBehindTheEnd(t *testing.T) { withHelpers(t, testNoBlocksStayBehindTheEnd) }

func testNoBlocksStayBehindTheEnd(t *testing.T, helpers helpers) {
	const size = 1 << 20
	root := closing(t, memfs.New().Root())
	src := newFake(random(5000))
	src.size = size
	dst := create(t, root, "dst")
	c := helpers.copier(t, content.Copier{Options: content.Options{Preallocate: true}, Progress: func(int64) {}})
	if err := c.Copy(t.Context(), dst, src, vfs.Attr{Size: size, Blocks: size}, between()); err != nil {
		t.Fatal(err)
	}
	if a := stat(t, dst); a.Size != 5000 || a.Blocks > 16 {
		t.Errorf("%d bytes in %d blocks, want 5000 in 10", a.Size, a.Blocks)
	}
}
