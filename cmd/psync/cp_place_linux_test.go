package main

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

// placeForCp returns the path of a directory, which does not exist yet, in which any user can run both
// programs. Its parent directories are also accessible to all users.
func placeForCp(tb testing.TB) string {
	tb.Helper()
	dir, err := os.MkdirTemp(volumeForCp(), "cp")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := removeAll(dir); err != nil {
			tb.Error(err)
		}
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		tb.Fatal(err)
	}
	return filepath.Join(dir, "above", "w")
}

// volumeForCp returns where to make trees: in memory if possible, where inode numbers grow in the order of
// creation.
var volumeForCp = sync.OnceValue(func() string {
	const shared = "/dev/shm"
	var st unix.Statfs_t
	if err := unix.Statfs(shared, &st); err != nil || st.Type != unix.TMPFS_MAGIC {
		return ""
	}
	dir, err := os.MkdirTemp(shared, "cp")
	if err != nil {
		return ""
	}
	defer os.Remove(dir)
	if unix.Setxattr(dir, "user.test", nil, 0) != nil {
		return ""
	}
	return shared
})

// onOneProcessor calls f, and everything that f runs, on one processor. In file systems in memory, each
// processor has its own range of inode numbers, and numbers grow monotonically only within one.
func onOneProcessor(f func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, one unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return err
	}
	for cpu := 0; one.Count() == 0; cpu++ {
		if before.IsSet(cpu) {
			one.Set(cpu)
		}
	}
	if err := unix.SchedSetaffinity(0, &one); err != nil {
		return err
	}
	return errors.Join(f(), unix.SchedSetaffinity(0, &before))
}
