package content_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs/memfs"
)

// A meter grants and counts all bytes until it reaches its limit.
type meter struct {
	chunk int64
	limit int64 // in bytes; 0 means none
	err   error // the error beyond the limit

	mu     sync.Mutex // guards what follows
	passed int64
	most   int64 // at once
}

func (m *meter) Chunk() int64 { return m.chunk }

func (m *meter) Wait(_ context.Context, n int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit > 0 && m.passed+n > m.limit {
		return m.err
	}
	m.passed += n
	m.most = max(m.most, n)
	return nil
}

func TestPaceOfWhatIsMoved(t *testing.T) { withHelpers(t, testPaceOfWhatIsMoved) }

func testPaceOfWhatIsMoved(t *testing.T, helpers helpers) {
	const size = 1_000_000
	kernel := func(_, n int64) (int64, error) { return n, nil }
	for _, tt := range []struct {
		name   string
		size   int64 // by its attributes
		blocks int64
		dst    trial
		copier content.Copier
		want   int64 // bytes
	}{
		{"in the kernel", size, size, trial{clone: errors.ErrUnsupported, copyRange: kernel}, content.Copier{}, size},
		{"in the kernel, less at once", size, size, trial{clone: errors.ErrUnsupported, copyRange: func(_, n int64) (int64, error) {
			return (n + 1) / 2, nil
		}}, content.Copier{}, size},
		{"refused by the kernel", size, size, trial{clone: errors.ErrUnsupported, copyRange: func(_, _ int64) (int64, error) {
			return 0, errors.ErrUnsupported
		}}, content.Copier{}, size},
		{"by no kernel", size, size, trial{}, content.Copier{Options: content.Options{Reflink: content.ReflinkNever}}, size},
		{"cloned", size, size, trial{}, content.Copier{}, 0},
		{"sparse copy", size, size, trial{}, content.Copier{Options: content.Options{Sparse: true}}, size},
		{"with holes", size, 0, trial{clone: errors.ErrUnsupported, copyRange: kernel}, content.Copier{}, 400 * kib},
		{"of unknown size", 0, 0, trial{}, content.Copier{}, size},
	} {
		data := random(size)
		if tt.name == "with holes" {
			data = make([]byte, size)
			copy(data, random(400*kib))
		}
		for _, chunk := range []int64{0, 10_000, 100_000} {
			m := &meter{chunk: chunk}
			moved := int64(0)
			c := tt.copier
			c.Pace, c.Progress = m, func(n int64) { moved += n }
			root := closing(t, memfs.New().Root())
			dst := &trial{File: create(t, root, "dst"), clone: tt.dst.clone, copyRange: tt.dst.copyRange}
			src := ableSource{&holey{newFake(data), ^uint64(0)}}
			attr := src.attr(false)
			attr.Size, attr.Blocks = tt.size, tt.blocks
			if err := helpers.copier(t, c).Copy(t.Context(), dst, src, attr, between()); err != nil {
				t.Errorf("%s: %v", tt.name, err)
			}
			if m.passed != tt.want || moved != size {
				t.Errorf("%s, %d at once: waited for %d bytes, reported %d; want %d and %d", tt.name, chunk, m.passed, moved, tt.want, size)
			}
			if chunk > 0 && m.most > chunk {
				t.Errorf("%s: %d bytes at once, want %d", tt.name, m.most, chunk)
			}
		}
	}
}

func TestComparisonIsNotPaced(t *testing.T) {
	m := &meter{}
	c := content.Copier{Options: content.Options{Pace: m}}
	if equal, err := c.Equal(t.Context(), newFake(random(1000)), newFake(random(1000)), 1000); !equal || err != nil || m.passed != 0 {
		t.Errorf("Equal = %v, %v after waiting for %d bytes", equal, err, m.passed)
	}
}

// TestPaceThatEnds makes Wait return an error after some bytes, for every way to copy.
func TestPaceThatEnds(t *testing.T) { withHelpers(t, testPaceThatEnds) }

func testPaceThatEnds(t *testing.T, helpers helpers) {
	enough := errors.New("enough")
	for name, tt := range map[string]struct {
		never content.Reflink
		size  int64
	}{
		"in the kernel":      {content.ReflinkAuto, 1_000_000},
		"through the buffer": {content.ReflinkNever, 1_000_000},
		"of unknown size":    {content.ReflinkAuto, 0},
	} {
		root := closing(t, memfs.New().Root())
		c := content.Copier{Options: content.Options{Reflink: tt.never, Pace: &meter{chunk: 10_000, limit: 500_000, err: enough}}, Progress: func(int64) {}}
		dst := &trial{File: create(t, root, "dst"), clone: errors.ErrUnsupported, copyRange: func(_, n int64) (int64, error) { return n, nil }}
		src := ableSource{&holey{newFake(random(1_000_000)), 0}}
		attr := src.attr(false)
		attr.Size = tt.size
		if err := helpers.copier(t, c).Copy(t.Context(), dst, src, attr, between()); err != enough {
			t.Errorf("%s: %v, want %v", name, err, enough)
		}
		if n := len(read(t, root, "dst")); helpers == 0 && n > 500_000 {
			t.Errorf("%s: %d bytes were copied, want 500000", name, n)
		}
	}
}
