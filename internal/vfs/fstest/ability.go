package fstest

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"

	"psync/internal/vfs"
)

func abilityPromises() []promise {
	return []promise{
		{"Clone makes equal contents, or changes nothing", clone},
		{"Clone takes a foreign file for what it is", cloneForeign},
		{"CopyRange copies a whole file, or changes nothing", copyRangeWhole},
		{"CopyRange copies a part to the same offset", copyRangePart},
		{"CopyRange takes a foreign file for what it is", copyRangeForeign},
		{"many may copy ranges of a file at once", copyRangesConcurrently},
		{"NextData leaves out nothing but zeros", nextData},
		{"Preallocate keeps the length and the contents", preallocate},
		{"Statfs answers, or is unsupported", statfs},
	}
}

// noise returns n bytes that look like no others.
func noise(n int) []byte {
	p := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(p)
	return p
}

func clone(t *testing.T, d vfs.Dir) {
	for _, size := range []int{0, 1, 4096, 300_000} {
		put(t, d, "src", string(noise(size)))
		checkClone(t, d, create(t, d, "dst").Clone(open(t, d, "src")), size)
		must(t, d.Remove("src"))
		must(t, d.Remove("dst"))
	}
}

// checkClone checks what became of dst by an attempt to clone size bytes of noise.
func checkClone(t testing.TB, d vfs.Dir, err error, size int) {
	t.Helper()
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		want(t, d, "dst", "")
	case err != nil:
		t.Error(err)
	default:
		want(t, d, "dst", string(noise(size)))
	}
}

func cloneForeign(t *testing.T, d vfs.Dir) {
	const size = 1000
	put(t, d, "src", string(noise(size)))
	checkClone(t, d, create(t, d, "dst").Clone(foreign{open(t, d, "src")}), size)
}

// foreign is a file of an implementation that nobody has heard of.
type foreign struct{ vfs.File }

func copyRangeWhole(t *testing.T, d vfs.Dir) {
	data := noise(300_000)
	put(t, d, "src", string(data))
	src := open(t, d, "src")
	dst := copyRange(t, d, src, 0, 1<<30)
	want(t, d, "dst", string(data))
	for _, off := range []int64{300_000, 1 << 20} {
		if n, err := dst.CopyRange(src, off, 10); n != 0 || err != nil {
			t.Errorf("CopyRange at %d of %d bytes = %d, %v; want 0, nil", off, len(data), n, err)
		}
	}
	want(t, d, "dst", string(data))
}

func copyRangePart(t *testing.T, d vfs.Dir) {
	const off, n = 12_345, 54_321
	data := noise(100_000)
	put(t, d, "src", string(data))
	copyRange(t, d, open(t, d, "src"), off, n)
	want(t, d, "dst", string(make([]byte, off))+string(data[off:off+n]))
}

func copyRangeForeign(t *testing.T, d vfs.Dir) {
	data := noise(1000)
	put(t, d, "src", string(data))
	copyRange(t, d, foreign{open(t, d, "src")}, 0, 1000)
	want(t, d, "dst", string(data))
}

// copyRange makes dst and copies to it from src until n bytes are there or src ends.
// It skips the test if that is unsupported and has changed nothing.
func copyRange(t testing.TB, d vfs.Dir, src vfs.File, off, n int64) vfs.File {
	t.Helper()
	dst := create(t, d, "dst")
	for start := off; n > 0; {
		done, err := dst.CopyRange(src, off, n)
		if errors.Is(err, errors.ErrUnsupported) && off == start {
			want(t, d, "dst", "")
			t.Skip("unsupported:", err)
		}
		must(t, err)
		if done < 0 || done > n {
			t.Fatalf("CopyRange(%d, %d) = %d", off, n, done)
		}
		if done == 0 {
			break
		}
		off, n = off+done, n-done
	}
	return dst
}

func copyRangesConcurrently(t *testing.T, d vfs.Dir) {
	const workers, chunk = 8, 20_000
	data := noise(workers * chunk)
	put(t, d, "src", string(data))
	src, dst := open(t, d, "src"), create(t, d, "dst")
	var unsupported atomic.Bool
	var wg sync.WaitGroup
	for i := range int64(workers) {
		wg.Go(func() {
			if start, _, err := src.NextData(i * chunk); err == nil && start != i*chunk {
				t.Errorf("NextData(%d) starts at %d", i*chunk, start)
			}
			for off, end := i*chunk, (i+1)*chunk; off < end; {
				n, err := dst.CopyRange(src, off, end-off)
				if errors.Is(err, errors.ErrUnsupported) {
					unsupported.Store(true)
					return
				}
				if err != nil || n == 0 {
					t.Errorf("CopyRange(%d, %d) = %d, %v", off, end-off, n, err)
					return
				}
				off += n
			}
		})
	}
	wg.Wait()
	if unsupported.Load() {
		t.Skip("unsupported")
	}
	want(t, d, "dst", string(data))
}

func preallocate(t *testing.T, d vfs.Dir) {
	const size = 100_000
	f := create(t, d, "f")
	blocks := func(least, most int64) {
		t.Helper()
		a, err := f.Stat()
		must(t, err)
		if a.Blocks*512 < least || a.Blocks*512 > most {
			t.Errorf("%d bytes are allocated, want %d to %d", a.Blocks*512, least, most)
		}
	}
	err := f.Preallocate(size)
	if errors.Is(err, errors.ErrUnsupported) {
		want(t, d, "f", "")
		t.Skip("unsupported:", err)
	}
	must(t, err)
	want(t, d, "f", "")
	blocks(size, 2*size)
	_, err = f.WriteAt([]byte("data"), 0)
	must(t, err)
	want(t, d, "f", "data")
	must(t, f.Truncate(4))
	want(t, d, "f", "data")
	blocks(0, size/2)
	if f.Preallocate(-1) == nil {
		t.Error("a negative size is no error")
	}
}

func nextData(t *testing.T, d vfs.Dir) {
	const size = 4 << 20
	data := make([]byte, size)
	f := create(t, d, "f")
	for _, at := range []int{0, 1 << 20, 3<<20 + 777} {
		p := noise(70_000)
		copy(data[at:], p)
		_, err := f.WriteAt(p, int64(at))
		must(t, err)
	}
	must(t, f.Truncate(size))
	f = open(t, d, "f")
	seen := make([]byte, size)
	off := int64(0)
	for {
		start, end, err := f.NextData(off)
		if err == io.EOF {
			break
		}
		if errors.Is(err, errors.ErrUnsupported) {
			t.Skip("unsupported:", err)
		}
		must(t, err)
		if start < off || end <= start || end > size {
			t.Fatalf("NextData(%d) = [%d, %d) of %d bytes", off, start, end, size)
		}
		copy(seen[start:end], data[start:end])
		off = end
	}
	if !bytes.Equal(seen, data) {
		t.Error("a range with data was left out")
	}
	for _, off := range []int64{size, size + 1, 2 * size} {
		if start, end, err := f.NextData(off); err != io.EOF {
			t.Errorf("NextData(%d) = %d, %d, %v; want EOF", off, start, end, err)
		}
	}
}

func statfs(t *testing.T, d vfs.Dir) {
	if _, err := d.Statfs(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		t.Error(err)
	}
}
