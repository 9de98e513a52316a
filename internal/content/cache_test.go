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
