package faultfs_test

import (
	"testing"
	"testing/synctest"
	"time"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/memfs"
	"psync/internal/vfs/suite"
)

func TestLatencyOfZero(t *testing.T) {
	suite.TestDir(t, func(t testing.TB) vfs.Dir { return faultfs.NewLatency(memfs.New().TestRoot(t), 0) })
}

func TestLatencySleepsPerOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := faultfs.NewLatency(memfs.New().Root(), time.Second)
		start := time.Now()
		f, err := d.OpenFile("f", vfs.Create, 0o644) // 1s
		must(t, err)
		_, err = f.WriteAt([]byte("x"), 0) // 1s
		must(t, err)
		must(t, f.Close()) // 1s
		must(t, d.Close())
		if took := time.Since(start); took != 3*time.Second {
			t.Errorf("three operations took %v, want 3s", took)
		}
	})
}
