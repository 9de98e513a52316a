package plainfs_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/plainfs"
	"psync/internal/vfs/suite"
)

func TestDir(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return plainfs.New(memfs.New().TestRoot(t), nil) })
}
