package testtmp_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"psync/internal/testtmp"
)

// tests are what go test runs.
type tests func() int

func (t tests) Run() int { return t() }

func TestRunLeavesNothing(t *testing.T) {
	t.Setenv("TMPDIR", "")
	t.Setenv("THOROUGH", "")
	disk := os.TempDir()
	dir := ""
	code := testtmp.Run(tests(func() int {
		if dir = os.TempDir(); dir != disk {
			if _, err := os.MkdirTemp("", "left"); err != nil {
				t.Error(err)
			}
		}
		return 3
	}))
	if code != 3 {
		t.Errorf("exit code %d, want 3", code)
	}
	if dir == disk {
		t.Skip("no room in memory")
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) || os.TempDir() != disk {
		t.Errorf("%s: %v, want it to be gone; temporary files are in %s now, want %s", dir, err, os.TempDir(), disk)
	}
}

// TestRunSweeps runs tests twice, of which the first seem to have been killed.
func TestRunSweeps(t *testing.T) {
	t.Setenv("TMPDIR", "")
	t.Setenv("THOROUGH", "")
	disk, left := os.TempDir(), ""
	testtmp.Run(tests(func() int {
		if in := os.TempDir(); in != disk {
			left = filepath.Join(filepath.Dir(in), "psync-test-4194305-x") // above the highest number that Linux gives
			if err := os.MkdirAll(filepath.Join(left, "dir"), 0o700); err != nil {
				t.Error(err)
			}
		}
		return 0
	}))
	if left == "" {
		t.Skip("no room in memory")
	}
	testtmp.Run(tests(func() int {
		if !strings.HasPrefix(os.TempDir(), filepath.Dir(left)) {
			t.Error(os.TempDir())
		}
		return 0
	}))
	if _, err := os.Lstat(left); !os.IsNotExist(err) {
		t.Errorf("%s: %v, want it to be gone", left, err)
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
