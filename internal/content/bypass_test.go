package content

import (
	"testing"

	"psync/internal/vfs"
)

func TestBypasses(t *testing.T) {
	for _, c := range []struct {
		cache Cache
		size  int64
		caps  vfs.Caps
		want  bool
	}{
		{CacheAuto, 1 << 40, 0, false},
		{CacheAuto, 8<<20 - 1, vfs.PrefersUncached, false},
		{CacheAuto, 8 << 20, vfs.PrefersUncached, true},
		{CacheKeep, 1 << 40, vfs.PrefersUncached, false},
		{CacheKeep, 1 << 40, 0, false},
		{CacheDrop, 64<<10 - 1, 0, false},
		{CacheDrop, 64 << 10, 0, true},
		{CacheDrop, 64 << 10, vfs.PrefersUncached, true},
	} {
		if got := c.cache.bypasses(c.size, c.caps); got != c.want {
			t.Errorf("%d, %d bytes, caps %x: %v, want %v", c.cache, c.size, c.caps, got, c.want)
		}
	}
}
