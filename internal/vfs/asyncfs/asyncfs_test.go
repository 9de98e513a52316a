package asyncfs_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/asyncfs"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

func TestLate(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return asyncfs.New(memfs.New().TestRoot(t)) })
}
