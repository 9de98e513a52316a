package content_test

import (
	"bytes"
	"context"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// cancelling ends ctx when the n-th read of a file is done.
type cancelling struct {
	vfs.File
	n      *int
	cancel func()
}

func (f cancelling) ReadAt(p []byte, off int64) (int, error) {
	if *f.n--; *f.n == 0 {
		defer f.cancel()
	}
	return f.File.ReadAt(p, off)
}

// TestInterruptedComparisonIsNeverEqual ends the context at each read of a shared file.
func TestInterruptedComparisonIsNeverEqual(t *testing.T) {
	a := bytes.Repeat([]byte("a"), 300<<10)
	b := bytes.Clone(a)
	b[len(b)-1] = 'b'
	for n := 1; n < 10; n++ {
		ctx, cancel := context.WithCancel(t.Context())
		c := &content.Copier{Progress: func(int64) {}, Cutoff: 1}
		c.SetRangeSize(64 << 10)
		c.Share = func(*content.Ranges) func() { return func() {} }
		k := n
		equal, err := c.Equal(ctx, cancelling{newFake(a), &k, cancel}, newFake(b), int64(len(a)))
		if equal {
			t.Errorf("cancelled at read %d: equal=%v err=%v", n, equal, err)
		}
		cancel()
	}
}

// TestInterruptedSparseCopyNeverSucceeds ends the context at each read of a sparse copy, which then lacks
// parts.
func TestInterruptedSparseCopyNeverSucceeds(t *testing.T) {
	data := layout{64 * kib, 4 * kib, 4 * kib, 4 * kib, 4 * kib, 4 * kib, 4 * kib, 4 * kib, 4 * kib}.bytes()
	for n := 1; n < 14; n++ {
		d := ableDir{closing(t, memfs.New().Root()), data, ^uint64(0)}
		ctx, cancel := context.WithCancel(t.Context())
		c := &content.Copier{Options: content.Options{Reflink: content.ReflinkNever}, Progress: func(int64) {}, Cutoff: 1}
		c.SetRangeSize(64 << 10)
		c.Share = func(*content.Ranges) func() { return func() {} }
		src, _ := d.OpenFile("src", vfs.ReadOnly, 0)
		s := src.(ableSource)
		k := n
		err := c.Copy(ctx, create(t, d, "dst"), cancellingSource{s, &k, cancel}, s.attr(true), between())
		cancel()
		if err != nil {
			continue
		}
		f, _ := d.Dir.OpenFile("dst", vfs.ReadOnly, 0)
		got := make([]byte, len(data))
		m, _ := f.ReadAt(got, 0)
		if !bytes.Equal(got[:m], data) {
			t.Errorf("cancelled at read %d: err=nil, but %d bytes, not those of the source", n, m)
		}
	}
}

type cancellingSource struct {
	ableSource
	n      *int
	cancel func()
}

func (f cancellingSource) ReadAt(p []byte, off int64) (int, error) {
	if *f.n--; *f.n == 0 {
		defer f.cancel()
	}
	return f.ableSource.ReadAt(p, off)
}
