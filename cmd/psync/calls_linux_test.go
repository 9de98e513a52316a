package main

import (
	"bufio"
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCallsPerEntry counts the system calls that each further entry of a tree takes.
func TestCallsPerEntry(t *testing.T) {
	if !conditions["strace"]() {
		t.Skip("strace cannot trace processes here")
	}
	const few, many = 20, 60
	dirs := func(n int) string { return fmt.Sprintf("for i in $(seq %d); do mkdir -p src/d/$i; done", n) }
	files := func(n int) string {
		return fmt.Sprintf("mkdir src; for i in $(seq %d); do echo $i >src/$i; done", n)
	}
	for _, tt := range []struct {
		name  string
		makes func(n int) string // makes src with n entries
		args  string
		want  map[string]int
	}{
		{"cp of empty directories", dirs, "cp -j1 -r src dst", map[string]int{
			"openat": 1, "fstat": 1, "getdents64": 2, "close": 1, "mkdirat": 1,
		}},
		{"cp of files", files, "cp -j1 -r src dst", map[string]int{"openat": 2, "pread64": 1, "fstat": 1, "pwrite64": 1, "close": 2}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			calls := callsOf(t, tt.makes(many), tt.args)
			perEntry := make(map[string]int)
			for call, n := range callsOf(t, tt.makes(few), tt.args) {
				if n = calls[call] - n; n >= many-few {
					perEntry[call] = n / (many - few)
				}
			}
			if !maps.Equal(perEntry, tt.want) {
				t.Errorf("each entry takes %v, want %v", perEntry, tt.want)
			}
		})
	}
}

// callsOf counts the system calls of a run that have to do with files, in a new directory that a shell prepares.
func callsOf(t *testing.T, prepare, args string) map[string]int {
	t.Helper()
	dir, trace := t.TempDir(), filepath.Join(t.TempDir(), "trace")
	run := func(argv ...string) {
		t.Helper()
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", argv, err, out)
		}
	}
	run("sh", "-ec", "umask 022; "+prepare)
	under := []string{"strace", "-f", "-qq", "-o", trace, "-e", "trace=file,desc,ftruncate", "psync"}
	run(append(under, strings.Fields(args)...)...)
	text, err := os.ReadFile(trace)
	if err != nil {
		t.Fatal(err)
	}
	calls := make(map[string]int)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		_, rest, _ := strings.Cut(lines.Text(), " ")
		if call, _, ok := strings.Cut(strings.TrimLeft(rest, " "), "("); ok && !strings.HasPrefix(call, "<") {
			calls[call]++
		}
	}
	for _, call := range []string{"read", "write", "epoll_ctl", "epoll_pwait", "mmap", "fcntl"} { // of the runtime
		delete(calls, call)
	}
	return calls
}
