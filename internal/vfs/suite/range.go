package suite

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"testing"

	"psync/internal/vfs"
)

// rangeRules test faster ways to copy the contents of files, and methods that concern their blocks.
var rangeRules = []rule{
	{name: "Clone makes equal contents, or changes nothing", check: func(t *testing.T, d vfs.Dir) {
		for _, size := range []int{0, 1, 4096, 300_000} {
			data := string(noise(size))
			put(t, d, "src", data)
			for _, src := range asForeign(open(t, d, "src")) {
				err := create(t, d, "dst").Clone(src)
				if errors.Is(err, errors.ErrUnsupported) {
					want(t, d, "dst", "")
				} else {
					must(t, err)
					want(t, d, "dst", data)
				}
				must(t, d.Remove("dst", nil))
			}
			must(t, d.Remove("src", nil))
		}
	}},
	{name: "CopyRange copies to the same offset, or changes nothing", check: func(t *testing.T, d vfs.Dir) {
		data := noise(300_000)
		put(t, d, "src", string(data))
		for _, tt := range []struct{ off, n int64 }{{0, 1 << 30}, {12_345, 54_321}, {0, 1000}, {300_000, 10}, {1 << 20, 10}} {
			for _, src := range asForeign(open(t, d, "src")) {
				dst := create(t, d, "dst")
				end := min(tt.off+tt.n, int64(len(data)))
				if copyRange(t, dst, src, tt.off, tt.n) && end > tt.off {
					want(t, d, "dst", string(make([]byte, tt.off))+string(data[tt.off:end]))
				} else {
					want(t, d, "dst", "")
				}
				must(t, d.Remove("dst", nil))
			}
		}
	}},
	{name: "many may copy ranges of a file at once", check: func(t *testing.T, d vfs.Dir) {
		const chunk = 20_000
		data := noise(concurrency * chunk)
		put(t, d, "src", string(data))
		src, dst := open(t, d, "src"), create(t, d, "dst")
		var copied [concurrency]bool
		concurrently(func(i int) {
			off := int64(i * chunk)
			if start, _, err := src.NextData(off); err == nil && start != off {
				t.Errorf("NextData(%d) starts at %d", off, start)
			}
			copied[i] = copyRange(t, dst, src, off, chunk)
		})
		if copied == [concurrency]bool{} {
			t.Skip("unsupported")
		}
		want(t, d, "dst", string(data))
	}},
	{name: "NextData leaves out nothing but zeros", check: func(t *testing.T, d vfs.Dir) {
		const size = 4 << 20
		data := make([]byte, size)
		f := create(t, d, "f")
		for _, at := range []int{0, 1 << 20, 3<<20 + 777} {
			copy(data[at:], noise(70_000))
			write(t, f, string(noise(70_000)), int64(at))
		}
		must(t, f.Truncate(size))
		f = open(t, d, "f")
		seen := make([]byte, size)
		for off := int64(0); ; {
			start, end, err := f.NextData(off)
			if err == io.EOF {
				break
			}
			skipUnsupported(t, err)
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
	}},
	{name: "Preallocate keeps the length and the contents", check: func(t *testing.T, d vfs.Dir) {
		const size = 100_000
		f := create(t, d, "f")
		wantAllocated := func(least, most int64) {
			t.Helper()
			a, err := vfs.Stat(f)
			must(t, err)
			if a.Blocks*512 < least || a.Blocks*512 > most {
				t.Errorf("%d bytes are allocated, want %d to %d", a.Blocks*512, least, most)
			}
		}
		err := f.Fallocate(vfs.Preallocate, 0, size)
		want(t, d, "f", "")
		skipUnsupported(t, err)
		must(t, err)
		wantAllocated(size, 2*size)
		write(t, f, "data", 0)
		want(t, d, "f", "data")
		must(t, f.Truncate(4))
		want(t, d, "f", "data")
		wantAllocated(0, size/2)
		if f.Fallocate(vfs.Preallocate, 0, -1) == nil {
			t.Error("a negative size is no error")
		}
	}},
}

// noise returns n pseudo-random bytes, the same each time.
func noise(n int) []byte {
	p := make([]byte, n)
	_, _ = rand.NewChaCha8([32]byte{}).Read(p)
	return p
}

// foreign is a file of an unknown implementation.
type foreign struct{ vfs.File }

// asForeign returns a file as it is and as a foreign one.
func asForeign(f vfs.File) []vfs.File { return []vfs.File{f, foreign{f}} }

// copyRange copies until n bytes are copied or src ends. It returns false if that is unsupported.
func copyRange(t testing.TB, dst, src vfs.File, off, n int64) bool {
	t.Helper()
	for start := off; n > 0; {
		done, err := dst.CopyRange(src, off, n)
		switch {
		case errors.Is(err, errors.ErrUnsupported) && off == start:
			return false
		case err != nil || done < 0 || done > n:
			t.Errorf("CopyRange(%d, %d) = %d, %v", off, n, done, err)
			return true
		case done == 0:
			return true
		}
		off, n = off+done, n-done
	}
	return true
}
