package run

import (
	"os"
	"path/filepath"
	"testing"
)

// TestJournalNeedsWorkingDirectory has absolute fail where the working directory is unknown, as its result would
// make the journal one of another job.
func TestJournalNeedsWorkingDirectory(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "gone")
	if err := os.Mkdir(gone, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Chdir(gone)
	t.Setenv("PWD", "")
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	if got, err := absolute("src/"); err == nil {
		t.Errorf("absolute(src/) = %q, want an error", got)
	}
	for _, arg := range []string{"/src/", "host:src/"} {
		if got, err := absolute(arg); err != nil || got != arg {
			t.Errorf("absolute(%s) = %q, %v", arg, got, err)
		}
	}
}
