package main

import (
	"bytes"
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

// TestNoTemplateIsExecuted holds psync to no execution of templates, as by cobra's SetVersionTemplate: the linker would
// keep all exported methods, in case a template calls them, which makes psync a sixth larger and its start slower.
func TestNoTemplateIsExecuted(t *testing.T) {
	if detectsRaces() || os.Getenv("SHARE") != "" {
		t.Skip("psync is the program of the tests")
	}
	path, err := exec.LookPath("psync")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(program, []byte("psync/internal/cli.Run")) || bytes.Contains(program, []byte("text/template.(*Template).Execute")) {
		t.Error("psync has code that executes templates, or its functions have no names")
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
		{"psync cp a b", 445, 56, 27_000},
		{"psync copy a b", 500, 470, 85_000},
		{"psync sync empty dest", 530, 760, 175_000},
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
			// The least of many runs: threads and workers that start by chance add to it.
			const many = 1 << 30
			least, allocations, bytes := int64(many), int64(many), int64(many)
			for range 20 {
				_, faults := run(tt.line)
				least = min(least, faults)
			}
			for range 5 {
				out, _ := run("allocations " + tt.line)
				var n, size int64
				last := out[strings.LastIndexByte(out, '\n')+1:]
				if _, err := fmt.Sscan(last, &n, &size); err != nil {
					t.Fatalf("%q: %v", out, err)
				}
				allocations, bytes = min(allocations, n), min(bytes, size)
			}
			t.Logf("%d page faults, %d allocations, %d bytes", least, allocations, bytes)
			if least > tt.faults || allocations > tt.allocations || bytes > tt.bytes {
				t.Errorf("%d page faults, %d allocations, %d bytes; want at most %d, %d, %d",
					least, allocations, bytes, tt.faults, tt.allocations, tt.bytes)
			}
		})
	}
}
