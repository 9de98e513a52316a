package latefs_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/latefs"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

func TestLate(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return latefs.New(memfs.New().TestRoot(t)) })
}
