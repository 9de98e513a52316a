package content_test

import (
	"bytes"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"psync/internal/blocksum"
	"psync/internal/content"
	"psync/internal/vfs"
)

// A summed is a fake that offers checksums.
type summed struct {
	*fake
	asked atomic.Int64 // bytes that checksums were asked for
	err   error        // of asking
}

func (f *summed) Caps() vfs.Caps { return vfs.CanSum }

func (f *summed) Sums(off, n, block int64, key []byte) (sums []byte, err error) {
	f.asked.Add(n)
	return blocksum.Of(bytes.NewReader(f.data), off, n, block, key, make([]byte, block), func() error { return f.err })
}

// TestEqualBySums expects the results of reading.
func TestEqualBySums(t *testing.T) {
	const mib = 1 << 20
	broken := errors.New("broken")
	for _, size := range []int{piece + 1, mib, 5*mib - 1, 13*mib + 7} {
		data := random(size)
		for _, tt := range []struct {
			name  string
			spoil func(f *summed)
			equal bool
			err   error
		}{
			{"equal", func(*summed) {}, true, nil},
			{"differs first", func(f *summed) { f.data[0]++ }, false, nil},
			{"differs last", func(f *summed) { f.data[size-1]++ }, false, nil},
			{"broken", func(f *summed) { f.err = broken }, false, broken},
			{"unsupported after all", func(f *summed) { f.err = errors.ErrUnsupported }, true, nil},
			{"shorter", func(f *summed) { f.data, f.size = f.data[:size-1], f.size-1 }, false, content.ErrChanged},
			{"empty", func(f *summed) { f.data, f.size = nil, 0 }, false, content.ErrChanged},
		} {
			for _, both := range []bool{false, true} {
				for _, source := range []bool{false, true} {
					far := &summed{fake: newFake(slices.Clone(data))}
					tt.spoil(far)
					var near vfs.File = newFake(data)
					if both {
						near = &summed{fake: newFake(data)}
					}
					a, b := vfs.File(near), vfs.File(far)
					if source {
						a, b = far, near
					}
					var c content.Copier
					equal, err := c.Equal(t.Context(), a, b, int64(size))
					_, read := errors.AsType[*content.ReadError](err)
					if equal != tt.equal || !errors.Is(err, tt.err) || read != (source && tt.err != nil) {
						t.Errorf("%d bytes, %s, the source: %v, both far: %v: %v, %#v", size, tt.name, source, both, equal, err)
					}
					if far.reads.Load() > 0 && far.err == nil {
						t.Errorf("%d bytes, %s: the far file was read", size, tt.name)
					}
				}
			}
		}
	}
}

func TestSumsEndAtTheFirstDifference(t *testing.T) {
	data := random(32 << 20)
	far, near := &summed{fake: newFake(slices.Clone(data))}, newFake(data)
	far.data[0]++
	var c content.Copier
	if equal, err := c.Equal(t.Context(), near, far, near.size); equal || err != nil {
		t.Errorf("Equal = %v, %v", equal, err)
	}
	if n := far.asked.Load(); n > 30<<20 || near.reads.Load() > 16 {
		t.Errorf("checksums of %d bytes were asked for, and %d pieces read", n, near.reads.Load())
	}
}
