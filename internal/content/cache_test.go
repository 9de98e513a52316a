package content_test

import (
	"fmt"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// A bypasser counts the requests to bypass the cache.
type bypasser struct {
	vfs.File
	n *int
}

func (b bypasser) Advise(a vfs.Advice) error {
	if a == vfs.NoReuse {
		*b.n++
	}
	return nil
}

// TestFilesBypassTheCache copies files to a new file and over an existing one.
func TestFilesBypassTheCache(t *testing.T) { withHelpers(t, testFilesBypassTheCache) }

func testFilesBypassTheCache(t *testing.T, helpers helpers) {
	for _, tt := range []struct {
		size int64
		want int
	}{{0, 0}, {1, 0}, {64<<10 - 1, 0}, {64 << 10, 1}, {9 << 20, 1}} {
		for _, sparse := range []bool{false, true} {
			for _, over := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d bytes, sparse %v, over an old file %v", tt.size, sparse, over), func(t *testing.T) {
					root := closing(t, memfs.New().Root())
					src := rewrite(t, root, "src", nil)
					if err := src.Truncate(tt.size); err != nil {
						t.Fatal(err)
					}
					attr := stat(t, src)
					attr.Blocks = (tt.size + 511) / 512 // the file has no holes
					dst := rewrite(t, root, "dst", nil)
					var ofSrc, ofDst int
					c := helpers.copier(t, content.Copier{Options: content.Options{Sparse: sparse, Cache: content.CacheDrop}, Progress: func(int64) {}})
					do := c.Copy
					if over {
						do = c.Overwrite
						if _, err := dst.WriteAt([]byte("old"), 0); err != nil {
							t.Fatal(err)
						}
					}
					if err := do(t.Context(), bypasser{dst, &ofDst}, bypasser{src, &ofSrc}, attr, between()); err != nil {
						t.Fatal(err)
					}
					if ofSrc != tt.want || ofDst != tt.want {
						t.Errorf("source: %d times, copy: %d times; want %d", ofSrc, ofDst, tt.want)
					}
				})
			}
		}
	}
}

// pieces counts the calls that read a file of a system that prefers to bypass the cache, or not.
type pieces struct {
	vfs.File
	caps vfs.Caps
	n    *int
}

func (p pieces) Caps() vfs.Caps        { return p.caps }
func (pieces) Advise(vfs.Advice) error { return nil }
func (p pieces) ReadAt(b []byte, off int64) (int, error) {
	*p.n++
	return p.File.ReadAt(b, off)
}

// TestFilesThatBypassTheCacheMoveInLargePieces counts the calls of a copy of 16 MiB, and of one that is just too small.
func TestFilesThatBypassTheCacheMoveInLargePieces(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cache content.Cache
		caps  vfs.Caps
		far   bool
		size  int64
		calls int
	}{
		{"macOS", content.CacheAuto, vfs.PrefersUncached, false, 16 << 20, 4},
		{"macOS, a smaller file", content.CacheAuto, vfs.PrefersUncached, false, 8<<20 - 1, 32},
		{"macOS, a network", content.CacheAuto, vfs.PrefersUncached, true, 16 << 20, 16},
		{"macOS, --cache=keep", content.CacheKeep, vfs.PrefersUncached, false, 16 << 20, 64},
		{"macOS, --cache=drop", content.CacheDrop, vfs.PrefersUncached, false, 16 << 20, 4},
		{"Linux", content.CacheAuto, 0, false, 16 << 20, 64},
		{"Linux, --cache=drop", content.CacheDrop, 0, false, 16 << 20, 64},
	} {
		root := closing(t, memfs.New().Root())
		src, dst := rewrite(t, root, "src", make([]byte, tt.size)), rewrite(t, root, "dst", nil)
		attr := stat(t, src)
		attr.Blocks = (tt.size + 511) / 512 // the file has no holes
		var routes content.Routes
		route := routes.Between(content.Device{Dev: 1, Network: tt.far}, content.Device{Dev: 2})
		var calls, written int
		c := content.Copier{Options: content.Options{Cache: tt.cache}, Progress: func(int64) {}}
		if err := c.Copy(t.Context(), pieces{dst, 0, &written}, pieces{src, tt.caps, &calls}, attr, route); err != nil {
			t.Fatal(err)
		}
		if calls != tt.calls {
			t.Errorf("%s: %d calls, want %d", tt.name, calls, tt.calls)
		}
	}
}
