package content_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A fake is a read-only file that records how it is read.
type fake struct {
	bareFile

	data   []byte
	before func() error // called before each read
	reads  atomic.Int64
	during atomic.Int64 // reads in progress
	size   int64        // the size that Stat returns
}

func newFake(data []byte) *fake { return &fake{data: data, size: int64(len(data))} }

func (f *fake) ReadAt(p []byte, off int64) (int, error) {
	f.reads.Add(1)
	f.during.Add(1)
	defer f.during.Add(-1)
	if f.before != nil {
		if err := f.before(); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.data[min(off, int64(len(f.data))):])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *fake) Statx(vfs.StatxWant) (vfs.Attr, error) { return vfs.Attr{Size: f.size}, nil }

// piece is the number of bytes of a file that Equal reads at once.
const piece = 256 << 10

func TestEqual(t *testing.T) { withHelpers(t, testEqual) }

func testEqual(t *testing.T, helpers helpers) {
	sizes := []int{1, 1000, 64 << 10, piece - 1, piece, piece + 1, 4 * piece, 4*piece + 5, 13*piece + 7}
	for _, buffer := range []int64{0, 1, 100_000, 300_000} {
		c := helpers.copier(t, content.Copier{MaxBuffer: buffer})
		if equal, err := c.Equal(t.Context(), newFake(nil), newFake(nil), 0); !equal || err != nil {
			t.Errorf("empty files: %v, %v", equal, err)
		}
		for _, size := range sizes {
			data := random(size)
			if equal, err := c.Equal(t.Context(), newFake(data), newFake(data), int64(size)); !equal || err != nil {
				t.Errorf("buffer %d: two files of %d bytes: %v, %v; want equal", buffer, size, equal, err)
			}
			for _, at := range []int{0, size / 2, size - 1} {
				other := slices.Clone(data)
				other[at]++
				if equal, err := c.Equal(t.Context(), newFake(data), newFake(other), int64(size)); equal || err != nil {
					t.Errorf("buffer %d: two files of %d bytes that differ at %d: %v, %v", buffer, size, at, equal, err)
				}
			}
		}
	}
}

func TestEqualStopsAtTheFirstDifference(t *testing.T) {
	a, b := newFake(random(20*piece)), newFake(random(20*piece))
	b.data[piece]++
	var c content.Copier
	if equal, err := c.Equal(t.Context(), a, b, a.size); equal || err != nil {
		t.Errorf("Equal = %v, %v", equal, err)
	}
	if n := a.reads.Load(); n != 2 {
		t.Errorf("%d pieces of the source were read, want 2", n)
	}
	if n := b.reads.Load(); n > 8 {
		t.Errorf("%d pieces of the destination were read, want a few", n)
	}
}

func TestEqualNamesSidesOfErrors(t *testing.T) { withHelpers(t, testEqualNamesSidesOfErrors) }

func testEqualNamesSidesOfErrors(t *testing.T, helpers helpers) {
	broken := errors.New("broken")
	for _, size := range []int{1000, 10 * piece} {
		for _, tt := range []struct {
			name  string
			spoil func(f *fake)
			want  error
		}{
			{"cannot be read", func(f *fake) { f.before = func() error { return broken } }, broken},
			{"is shorter", func(f *fake) { f.data = f.data[:size-1] }, content.ErrChanged},
			{"is empty", func(f *fake) { f.data = nil }, content.ErrChanged},
		} {
			for _, source := range []bool{true, false} {
				a, b := newFake(random(size)), newFake(random(size))
				if source {
					tt.spoil(a)
				} else {
					tt.spoil(b)
				}
				c := helpers.copier(t, content.Copier{})
				equal, err := c.Equal(t.Context(), a, b, int64(size))
				_, read := errors.AsType[*content.ReadError](err)
				if equal || !errors.Is(err, tt.want) || read != source {
					t.Errorf("%d bytes, the source: %v, %s: %v, %#v; want %v", size, source, tt.name, equal, err, tt.want)
				}
			}
		}
	}
}

// poolsForget reports whether a sync.Pool drops some of what it is given, at random, as it does under the race detector.
func poolsForget() bool {
	build, _ := debug.ReadBuildInfo()
	return build != nil && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func TestEqualOfSmallFilesCostsNoMemory(t *testing.T) {
	if poolsForget() {
		t.Skip("the race detector has pools of buffers forget some")
	}
	for _, size := range []int{1, 4096, piece} {
		data := random(size)
		a, b := newFake(data), newFake(data)
		var c content.Copier
		n := testing.AllocsPerRun(10, func() { _, _ = c.Equal(t.Context(), a, b, int64(size)) })
		if n != 0 {
			t.Errorf("comparing %d bytes allocates %v times, want none", size, n)
		}
	}
}

func TestEqualReadsLargeFilesAtTheSameTime(t *testing.T) {
	for _, size := range []int{piece + 1, 20 * piece} {
		synctest.Test(t, func(t *testing.T) { // a goroutine that waits for ever fails the test
			a, b := newFake(random(size)), newFake(random(size))
			both := make(chan struct{})
			a.before = func() error { both <- struct{}{}; return nil }
			b.before = func() error { <-both; return nil }
			var c content.Copier
			if equal, err := c.Equal(t.Context(), a, b, a.size); !equal || err != nil {
				t.Errorf("Equal = %v, %v", equal, err)
			}
		})
	}
}

func TestEqualReadsNothingAfterItsReturn(t *testing.T) {
	broken := errors.New("broken")
	synctest.Test(t, func(t *testing.T) {
		a, b := newFake(random(20*piece)), newFake(random(20*piece))
		a.before = func() error { time.Sleep(2500 * time.Millisecond); return broken }
		b.before = func() error { time.Sleep(time.Second); return nil }
		var c content.Copier
		if _, err := c.Equal(t.Context(), a, b, a.size); !errors.Is(err, broken) {
			t.Errorf("error %v, want %v", err, broken)
		}
		if n := b.during.Load(); n != 0 {
			t.Errorf("%d reads go on", n)
		}
		reads := b.reads.Load()
		time.Sleep(time.Minute)
		if n := b.reads.Load() - reads; n != 0 {
			t.Errorf("%d pieces were read later", n)
		}
	})
}

func TestCancelledEqualStops(t *testing.T) { withHelpers(t, testCancelledEqualStops) }

func testCancelledEqualStops(t *testing.T, helpers helpers) {
	why := errors.New("enough")
	for _, size := range []int{1000, 20 * piece} {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(why)
		a, b := newFake(random(size)), newFake(random(size))
		c := helpers.copier(t, content.Copier{})
		if equal, err := c.Equal(ctx, a, b, a.size); equal || err != why {
			t.Errorf("%d bytes: %v, %v; want the cause of the context", size, equal, err)
		}
		if n := a.reads.Load(); n != 0 {
			t.Errorf("%d bytes: %d reads of the source, want none", size, n)
		}
	}
	if helpers > 0 {
		return // helpers may be done before the owner sees it
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	a, b := newFake(random(20*piece)), newFake(random(20*piece))
	a.before = func() error { cancel(why); return nil }
	c := helpers.copier(t, content.Copier{})
	if _, err := c.Equal(ctx, a, b, a.size); err != why || a.reads.Load() != 1 {
		t.Errorf("error %v after %d pieces, want the cause of the context after one", err, a.reads.Load())
	}
}

func TestEqualOfRealFiles(t *testing.T) { withHelpers(t, testEqualOfRealFiles) }

func testEqualOfRealFiles(t *testing.T, helpers helpers) {
	local, mem := openLocal(t, t.TempDir()), closing(t, memfs.New().Root())
	data := random(3*piece + 1)
	other := slices.Clone(data)
	other[2*piece]++
	a, same, differs := write(t, local, "a", data), write(t, mem, "same", data), write(t, mem, "differs", other)
	defer a.Close()
	c := helpers.copier(t, content.Copier{})
	for _, tt := range []struct {
		b    vfs.File
		want bool
	}{{a, true}, {same, true}, {differs, false}} {
		if equal, err := c.Equal(t.Context(), a, tt.b, int64(len(data))); equal != tt.want || err != nil {
			t.Errorf("Equal = %v, %v; want %v", equal, err, tt.want)
		}
	}
}

// FuzzEqual compares with a plain comparison, where holes lie anywhere.
func FuzzEqual(f *testing.F) {
	f.Add(uint64(1), uint32(1), int64(0), false)
	f.Add(uint64(2), uint32(piece+1), int64(1), true)
	f.Add(uint64(3), uint32(3<<20), int64(100_000), true)
	f.Add(uint64(4), uint32(2<<20), int64(0), false)
	f.Fuzz(func(t *testing.T, seed uint64, size uint32, buffer int64, differ bool) {
		size %= 4 << 20
		r := rand.New(rand.NewPCG(seed, 2))
		data := patches(r, int(size))
		other := slices.Clone(data)
		if differ && size > 0 {
			other[r.IntN(int(size))]++
		}
		a, b := &holey{newFake(data), r.Uint64()}, &holey{newFake(other), r.Uint64()}
		c := content.Copier{MaxBuffer: buffer % (2 << 20)}
		equal, err := c.Equal(t.Context(), a, b, int64(size))
		if want := bytes.Equal(data, other); equal != want || err != nil {
			t.Errorf("Equal of %d bytes = %v, %v; want %v", size, equal, err, want)
		}
	})
}

// patches returns size bytes, some of which are not zero.
func patches(r *rand.Rand, size int) []byte {
	data := make([]byte, size)
	for range r.IntN(20) {
		if size > 0 {
			copy(data[r.IntN(size):], random(r.IntN(100_000)))
		}
	}
	return data
}

func BenchmarkEqual(b *testing.B) {
	for _, size := range []int{4 << 10, 256 << 10, 64 << 20} {
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			root := openLocal(b, b.TempDir())
			x, y := write(b, root, "x", random(size)), write(b, root, "y", random(size))
			defer x.Close()
			defer y.Close()
			var c content.Copier
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				if equal, err := c.Equal(b.Context(), x, y, int64(size)); !equal || err != nil {
					b.Fatal(equal, err)
				}
			}
		})
	}
}
