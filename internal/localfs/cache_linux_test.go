package localfs

import (
	"bytes"
	"os"
	"testing"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// cached returns how many of n bytes at off of a file are in the page cache.
func cached(t *testing.T, f *file, off, n int64) int64 {
	t.Helper()
	var found unix.Cachestat_t
	if err := unix.Cachestat(uint(f.fd), &unix.CachestatRange{Off: uint64(off), Len: uint64(n)}, &found, 0); err != nil {
		t.Skip("the kernel does not report what is cached: ", err)
	}
	return int64(found.Cache) * int64(os.Getpagesize())
}

// TestBypassCache reads and writes a file, by either way to bypass the cache, and finds little or nothing of it there.
func TestBypassCache(t *testing.T) {
	const size = 4 * behind
	content := bytes.Repeat([]byte("contents"), size/8)
	for name, bypass := range map[string]func(*file){
		"by each call": func(f *file) { _ = f.Advise(vfs.NoReuse) },
		"by hand":      (*file).dropByHand,
	} {
		t.Run(name, func(t *testing.T) {
			d := openTemp(t)
			create, err := d.OpenFile("f", vfs.Create, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			f := create.(*file)
			bypass(f)
			for off := 0; off < size; off += 1 << 20 {
				if _, err := f.WriteAt(content[off:][:1<<20], int64(off)); err != nil {
					t.Fatal(err)
				}
			}
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
			if f.cache.way.Load() == cacheByHand && cached(t, f, 0, size-behind) == size-behind {
				t.Skip("the file system of temporary files has nothing but the cache")
			}
			if n := cached(t, f, 0, size-behind); n > size/8 {
				t.Errorf("%d bytes of what was written are cached", n)
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			for _, warm := range []bool{false, true} {
				f := openFile(t, d, "f")
				_ = unix.Fadvise(f.fd, 0, 0, unix.FADV_DONTNEED)
				p := make([]byte, size)
				if warm {
					if _, err := f.ReadAt(p, 0); err != nil {
						t.Fatal(err)
					}
				} else if n := cached(t, f, 0, size); n > 0 {
					t.Skip("the system has cached bytes that it was to drop: ", n)
				}
				bypass(f)
				for off := 0; off < size; off += 1 << 20 {
					if _, err := f.ReadAt(p[off:][:1<<20], int64(off)); err != nil {
						t.Fatal(err)
					}
				}
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

func openFile(t *testing.T, d vfs.Dir, name string) *file {
	t.Helper()
	f, err := d.OpenFile(name, vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f.(*file)
}
