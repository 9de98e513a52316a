package main

import (
	"os"
	"os/exec"
	"strings"
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
