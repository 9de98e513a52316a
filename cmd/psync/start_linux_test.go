package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestNothingIsInitialized holds our packages to variables that need no code to be initialized: it would run, and take memory,
// before each run. Tables that need some are functions, or are made when they are first used.
func TestNothingIsInitialized(t *testing.T) {
	if detectsRaces() || os.Getenv("SHARE") != "" {
		t.Skip("psync is the program of the tests")
	}
	cmd := exec.Command("psync", "version")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	lines := strings.Split(string(out), "\n")
	if !strings.HasPrefix(lines[0], "init ") {
		t.Fatalf("no trace of initialization:\n%s", out)
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "init psync/") {
			t.Error(line)
		}
	}
}

// TestStartIsCheap holds what it takes to copy one file, and to find that there is nothing to do: each page that is touched
// for the first time costs as much as a few system calls.
func TestStartIsCheap(t *testing.T) {
	if detectsRaces() || os.Getenv("SHARE") != "" {
		t.Skip("psync is the program of the tests")
	}
	for _, tt := range []struct {
		line                       string
		faults, allocations, bytes int64 // at most
	}{
		{"psync cp a b", 485, 58, 27_000},
		{"psync copy a b", 575, 485, 85_000},
		{"psync sync empty dest", 605, 790, 185_000},
	} {
		t.Run(tt.line, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "a"), make([]byte, 3000), 0o644); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"empty", "dest"} {
				if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
					t.Fatal(err)
				}
			}
			run := func(line string) (out string, faults int64) {
				t.Helper()
				_ = os.Remove(filepath.Join(dir, "b"))
				args := strings.Fields(line)
				cmd := exec.Command(args[0], args[1:]...)
				cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOMAXPROCS=2")
				text, err := cmd.CombinedOutput()
				if err != nil {
					t.Fatalf("%s: %v\n%s", line, err, text)
				}
				return strings.TrimSpace(string(text)), cmd.ProcessState.SysUsage().(*syscall.Rusage).Minflt
			}
			least := int64(1 << 30) // of many runs: threads that start by chance add faults
			for range 20 {
				_, faults := run(tt.line)
				least = min(least, faults)
			}
			out, _ := run("allocations " + tt.line)
			var allocations, bytes int64
			last := out[strings.LastIndexByte(out, '\n')+1:]
			if _, err := fmt.Sscan(last, &allocations, &bytes); err != nil {
				t.Fatalf("%q: %v", out, err)
			}
			t.Logf("%d page faults, %d allocations, %d bytes", least, allocations, bytes)
			if least > tt.faults || allocations > tt.allocations || bytes > tt.bytes {
				t.Errorf("%d page faults, %d allocations, %d bytes; want at most %d, %d, %d",
					least, allocations, bytes, tt.faults, tt.allocations, tt.bytes)
			}
		})
	}
}
