package pagecache

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// cached returns how many of n bytes at off of a file are in the page cache.
func cached(t *testing.T, fd int, off, n int64) int64 {
	t.Helper()
	var found unix.Cachestat_t
	if err := unix.Cachestat(uint(fd), &unix.CachestatRange{Off: uint64(off), Len: uint64(n)}, &found, 0); err != nil {
		t.Skip("the kernel does not report what is cached: ", err)
	}
	return int64(found.Cache) * int64(os.Getpagesize())
}

// each calls a method of a Use for each part of p, which are contents of a file.
func each(t *testing.T, call func(fd int, p []byte, off int64) (int, error), fd int, p []byte) {
	t.Helper()
	const part = 1 << 20
	for off := 0; off < len(p); off += part {
		if n, err := call(fd, p[off:][:part], int64(off)); n != part || err != nil {
			t.Fatalf("%d bytes at %d: %v", n, off, err)
		}
	}
}

// TestBypassCache reads and writes a file, by either way to bypass the cache, and finds little or nothing of it there.
func TestBypassCache(t *testing.T) {
	const size = 4 * behind
	content := bytes.Repeat([]byte("contents"), size/8)
	path := filepath.Join(t.TempDir(), "f")
	for name, bypass := range map[string]func(*Use, int){
		"by each call": func(u *Use, fd int) { _ = u.Advise(fd, "f", vfs.NoReuse) },
		"by hand":      (*Use).setByHand,
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC)
			var u Use
			bypass(&u, f)
			each(t, u.Pwrite, f, content)
			if err := unix.Fdatasync(f); err != nil {
				t.Fatal(err)
			}
			if u.method.Load() == dropByHand && cached(t, f, 0, size-behind) == size-behind {
				t.Skip("the file system of temporary files has nothing but the cache")
			}
			if n := cached(t, f, 0, size-behind); n > size/8 {
				t.Errorf("%d bytes of what was written are cached", n)
			}
			for _, warm := range []bool{false, true} {
				f := open(t, path, os.O_RDONLY)
				_ = unix.Fadvise(f, 0, 0, unix.FADV_DONTNEED)
				p := make([]byte, size)
				var u Use
				if warm {
					each(t, u.Pread, f, p)
				} else if n := cached(t, f, 0, size); n > 0 {
					t.Skip("the system has cached bytes that it was to drop: ", n)
				}
				bypass(&u, f)
				each(t, u.Pread, f, p)
				if !bytes.Equal(p, content) {
					t.Error("other contents")
				}
				n := cached(t, f, 0, size)
				if warm && n < size/2 {
					t.Errorf("%d bytes are left of what was cached before", n)
				}
				if !warm && n > size/8 {
					t.Errorf("%d bytes of what was read are cached", n)
				}
			}
		})
	}
}

func open(t *testing.T, path string, flags int) int {
	t.Helper()
	f, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return int(f.Fd())
}
