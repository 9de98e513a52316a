package engine

import (
	"maps"
	"strings"
	"sync"
	"testing"

	"psync/internal/metadata"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
)

// TestOperationsPerFile counts the operations that reach the two file systems. Each is a system call locally and a
// round trip remotely, so none may be added unnoticed.
func TestOperationsPerFile(t *testing.T) {
	// Use files of one byte, whose ranges are never shared: sharing takes another operation.
	count := func(files int) map[string]int {
		var mu sync.Mutex
		ops := make(map[string]int)
		hook := func(op, _ string) error {
			mu.Lock()
			defer mu.Unlock()
			ops[op]++
			return nil
		}
		b := newTestbed(t, "d/ 755\n"+strings.Repeat("d/f 644 x\n", min(files, 1)), "")
		for i := 1; i < files; i++ {
			fstest.Fill(t, b.job.Sources[0].Dir, "d/f"+strings.Repeat("x", i)+" 644 x\n")
		}
		b.job.Threads = 1
		b.job.Keep = metadata.Keep{Mtime: true}
		b.job.Sources[0].Dir = faultfs.New(b.job.Sources[0].Dir, hook)
		b.job.Dest = faultfs.New(b.job.Dest, hook)
		b.mustRun(t)
		return ops
	}
	few, many := count(10), count(30)
	perFile := make(map[string]int)
	for op, n := range many {
		if n -= few[op]; n != 0 {
			perFile[op] = n
		}
	}
	want := map[string]int{
		"open": 20, "stat": 40, "xattrs": 20, "read": 20, "rclose": 20,
		"create": 20, "write": 20, "fchtimes": 20, "fclose": 20,
	}
	if !maps.Equal(perFile, want) {
		t.Errorf("20 files more took %v, want %v", perFile, want)
	}
}
