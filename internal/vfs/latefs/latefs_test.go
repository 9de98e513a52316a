package latefs_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/latefs"
	"psync/internal/vfs/memfs"
)

func TestLate(t *testing.T) {
	fstest.TestDir(t, func(t testing.TB) vfs.Dir { return latefs.New(memfs.New().TestRoot(t)) })
}
