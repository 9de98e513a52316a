package localfs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/localfs"
)

func TestRenameNewReplacesNothing(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"old", "taken"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	at, err := localfs.Cwd.OpenAt(dir, true)
	if err != nil {
		t.Fatal(err)
	}
	defer at.Close()
	if err := at.RenameNew("old", "taken"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("to a name that is taken: %v", err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "taken")); string(data) != "taken" {
		t.Errorf("it was replaced by %q", data)
	}
	if err := at.RenameNew("old", "new"); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, "new")); string(data) != "old" {
		t.Errorf("it has %q", data)
	}
}
