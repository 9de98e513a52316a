package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"psync/internal/campaign"
)

// TestRandomPairs runs psync and rsync on random pairs of trees, and fails unless the results are the same. For psync,
// either both trees are on this host, or one of them is on another host that a psync there serves, so the results of
// copying, pushing and pulling agree. PAIRS in the environment is the number of pairs, and PAIRS_SEED the seed of the
// first, or "random". To repeat a failed run, use -run TestRandomPairs/seed=NUMBER.
func TestRandomPairs(t *testing.T) {
	needRsync(t)
	for _, seed := range campaign.Seeds("PAIRS", 10, 60) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			check(t, generate(seed))
		})
	}
}

func FuzzSync(f *testing.F) {
	needRsync(f)
	for seed := range uint64(4) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { check(t, generate(seed)) })
}

func needRsync(tb testing.TB) {
	tb.Helper()
	if _, err := exec.LookPath("rsync"); err != nil {
		tb.Skip("rsync is not installed")
	}
}

// check runs a scenario. If it fails, check looks for a smaller one that fails in the same way.
func check(t *testing.T, s scenario) {
	t.Helper()
	dir := t.TempDir()
	if s.has("-U") {
		mountQuietly(t, dir)
	}
	tries := 0
	try := func(s scenario) *failure {
		tries++
		sub := filepath.Join(dir, strconv.Itoa(tries))
		f, err := s.run(sub)
		if err := errors.Join(err, removeAll(sub)); err != nil {
			t.Fatalf("seed %d: %v", s.seed, err)
		}
		return f
	}
	if f := try(s); f != nil {
		s, f = shrink(s, f, try)
		t.Errorf("go test -run TestRandomPairs/seed=%d: %s; this is enough for it:\n%s\n%s", s.seed, f.what, s, f.text)
	}
}

// removeAll removes a tree that may have directories in which nothing can be removed.
func removeAll(dir string) error {
	_ = os.Chmod(dir, 0o700)
	if root, err := os.OpenRoot(dir); err == nil {
		openDirs(root)
	}
	return os.RemoveAll(dir)
}

// openDirs lets the owner into all directories below one, which it closes. Their paths may
// be longer than system calls take.
func openDirs(dir *os.Root) {
	defer dir.Close()
	list, _ := fs.ReadDir(dir.FS(), ".")
	for _, e := range list {
		if !e.IsDir() {
			continue
		}
		_ = dir.Chmod(e.Name(), 0o700)
		if sub, err := dir.OpenRoot(e.Name()); err == nil {
			openDirs(sub)
		}
	}
}
