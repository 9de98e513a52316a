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

// TestRandomPairs gives random pairs of trees to psync and to rsync, and wants them
// to make the same of them. By turns both trees are on this host for psync, and one of them is on another, which a
// psync there serves; so what is copied, pushed and pulled agrees. PAIRS in the environment says how many, PAIRS_SEED is the
// seed of the first, or "random". One that failed is run again with
// -run TestRandomPairs/seed=NUMBER, whichever it is.
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

// check runs a scenario. If it fails, it looks for a smaller one that fails alike.
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
