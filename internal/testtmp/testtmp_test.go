package testtmp_test

import (
	"os"
	"path/filepath"
	"testing"

	"psync/internal/testtmp"
)

// tests are what go test runs.
type tests func() int

func (t tests) Run() int { return t() }

func TestRunLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", "")
	t.Setenv("THOROUGH", "")
	dir := ""
	code := testtmp.Run(tests(func() int {
		dir = os.TempDir()
		if _, err := os.MkdirTemp("", "left"); err != nil {
			t.Error(err)
		}
		return 3
	}))
	if code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	if filepath.Dir(dir) != "/dev/shm" {
		t.Skip("no room in memory")
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("%s: %v, want it to be gone", dir, err)
	}
}

func TestRunKeepsWhatTheUserWants(t *testing.T) {
	for variable, value := range map[string]string{"TMPDIR": t.TempDir(), "THOROUGH": "1"} {
		t.Setenv("TMPDIR", "")
		t.Setenv("THOROUGH", "")
		t.Setenv(variable, value)
		want := os.TempDir()
		testtmp.Run(tests(func() int {
			if got := os.TempDir(); got != want {
				t.Errorf("with %s, TempDir is %s, want %s", variable, got, want)
			}
			return 0
		}))
	}
}
