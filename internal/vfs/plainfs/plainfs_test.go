package plainfs_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/plainfs"
)

func TestDir(t *testing.T) {
	fstest.TestDir(t, func(t testing.TB) vfs.Dir { return plainfs.New(memfs.New().TestRoot(t), nil) })
}
