package main

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"psync/internal/campaign"
)

// TestRandomRelative gives random trees and operands of -R to psync and to rsync, and wants them to make the same of
// them, but for the times of directories. RELATIVE and RELATIVE_SEED are what PAIRS and PAIRS_SEED are to TestRandomPairs.
func TestRandomRelative(t *testing.T) {
	needRsync(t)
	for _, seed := range campaign.Seeds("RELATIVE", 8, 40) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			t.Parallel()
			checkRelative(t, rand.New(rand.NewPCG(seed, 0)))
		})
	}
}

func checkRelative(t *testing.T, random *rand.Rand) {
	top := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(plantAny(random, top+"/src", 0))
	must(plantAny(random, top+"/rsync", 0))
	must(exec.Command("cp", "-a", top+"/rsync", top+"/psync").Run())
	operands := relativeOperands(t, random, top+"/src")
	if len(operands) == 0 {
		return
	}
	args := []string{"-aR"}
	for _, flag := range []string{"--delete", "--exclude=a", "--exclude=b/"} {
		if random.IntN(4) == 0 {
			args = append(args, flag)
		}
	}
	// With rules, rsync does not make such directories where they are missing; several operands may meet in one by links.
	if len(args) == 1 && random.IntN(3) == 0 {
		args, operands = append(args, "--no-implied-dirs"), operands[:1]
	}
	run := func(program string, args ...string) (string, error) {
		cmd := exec.Command(program, args...)
		cmd.Dir = top + "/src"
		cmd.Env = append(os.Environ(), "LC_ALL=C", "GORACE=atexit_sleep_ms=0")
		out, err := cmd.CombinedOutput()
		return fmt.Sprintf("$ %s %q\n%s", program, args, out), err
	}
	args = append(args, operands...)
	byRsync, errRsync := run("rsync", append(args, "../rsync/")...)
	if slices.Contains(args, "--delete") {
		args = append([]string{"--force-empty-source"}, args...)
	}
	byPsync, errPsync := run("psync", append([]string{"sync"}, append(args, "../psync/")...)...)
	if errRsync != nil && errPsync != nil {
		return // what both refuse, they refuse in their own ways
	}
	diff, err := exec.Command("rsync", "-anicO", "--delete", top+"/rsync/", top+"/psync/").CombinedOutput()
	must(err)
	if (errRsync == nil) != (errPsync == nil) || len(diff) > 0 {
		t.Errorf("%s%v\n%s%v\npsync has made something else:\n%s", byRsync, errRsync, byPsync, errPsync, diff)
	}
}

// plantAny makes a random tree of few names at path.
func plantAny(random *rand.Rand, path string, depth int) error {
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	for _, name := range []string{"a", "b", "c"} {
		at := filepath.Join(path, name)
		var err error
		switch n := random.IntN(8); {
		case n < 2:
		case n < 5 && depth < 3:
			err = plantAny(random, at, depth+1)
		case n == 5:
			err = os.Symlink([]string{"a", "../b", "nowhere", "."}[random.IntN(4)], at)
		default:
			when := time.Unix(1e9+random.Int64N(3), 0)
			if err = os.WriteFile(at, []byte(strings.Repeat("x", random.IntN(4))), 0o644); err == nil {
				err = os.Chtimes(at, when, when)
			}
		}
		if err != nil {
			return err
		}
	}
	return os.Chmod(path, fs.FileMode([]int{0o700, 0o750, 0o755}[random.IntN(3)]))
}

// relativeOperands returns some paths of the tree at src, of which none leads to another.
func relativeOperands(t *testing.T, random *rand.Rand, src string) (operands []string) {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(src, func(path string, _ fs.DirEntry, err error) error {
		if path != src {
			paths = append(paths, strings.TrimPrefix(path, src+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var taken []string
	for range 3 {
		if len(paths) == 0 {
			break
		}
		path := paths[random.IntN(len(paths))]
		overlaps := false
		for _, other := range taken {
			overlaps = overlaps || strings.HasPrefix(path+"/", other+"/") || strings.HasPrefix(other+"/", path+"/")
		}
		if overlaps {
			continue
		}
		taken = append(taken, path)
		if info, err := os.Stat(filepath.Join(src, path)); err == nil && info.IsDir() && random.IntN(3) == 0 {
			path += "/"
		}
		operands = append(operands, path)
	}
	if len(operands) == 0 || random.IntN(4) > 0 {
		return operands
	}
	return []string{strings.Replace(operands[0], "/", "/./", 1)}
}
