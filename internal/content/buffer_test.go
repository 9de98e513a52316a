package content_test

import (
	"runtime"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs/memfs"
)

// TestCopiersKeepNoBuffer copies with many Copiers, as many workers do for a host far away.
func TestCopiersKeepNoBuffer(t *testing.T) {
	root := closing(t, memfs.New().Root())
	data := make([]byte, 200<<10)
	src, dst := rewrite(t, root, "src", data), rewrite(t, root, "dst", data)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	copiers := make([]content.Copier, 512)
	for i := range copiers {
		c := &copiers[i]
		c.Progress = func(int64) {}
		if err := c.Overwrite(t.Context(), dst, src, stat(t, src), between()); err != nil {
			t.Fatal(err)
		}
		if equal, err := c.Equal(t.Context(), dst, src, int64(len(data))); !equal || err != nil {
			t.Fatal(equal, err)
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if n := int64(after.HeapAlloc) - int64(before.HeapAlloc); n > 8<<20 {
		t.Errorf("%d bytes are kept", n)
	}
	runtime.KeepAlive(copiers)
}
