package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"testing"

	"psync/internal/testtmp"
)

// tests are those of this package. They keep their temporary files in memory, and run a psync of its own program.
type tests struct{ m *testing.M }

func (t tests) Run() int {
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen { // most tests wait for processes that they have started
		_ = flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0)))
	}
	return testtmp.Run(builtTests(t))
}

type builtTests struct{ m *testing.M }

func (t builtTests) Run() int {
	lists := flag.Lookup("test.list").Value.String() != ""
	if _, err := os.Lstat("main.go"); err != nil || lists || os.Getenv("SHARE") != "" || testing.CoverMode() != "" || detectsRaces() {
		return t.m.Run() // with the psync of this program
	}
	dir, err := os.MkdirTemp("", "psync-built-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	if err := buildPsync(filepath.Join(dir, "bin")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return t.m.Run()
}

// detectsRaces reports whether the race detector is in this program, and so in psync if that is run by it.
func detectsRaces() bool {
	build, _ := debug.ReadBuildInfo()
	return build != nil && slices.Contains(build.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

// buildPsync builds psync in a directory, which it puts first in PATH, if there is a Go to build it. The tests start psync
// by the thousand, and the program of the tests, which is a psync, too, takes longer to start: 11 ms, instead of 8, where
// that was measured.
func buildPsync(bin string) error {
	if _, err := exec.LookPath("go"); err != nil {
		return nil
	}
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w", "-o", filepath.Join(bin, "psync"), ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", cmd, err, out)
	}
	selftest, err := exec.LookPath("psync-selftest") // which psync looks for in its own directory
	return errors.Join(err, os.Symlink(selftest, filepath.Join(bin, "psync-selftest")),
		os.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH")))
}
