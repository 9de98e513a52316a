package bench

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestRemoveTakesReadOnlyDirectories(t *testing.T) {
	root := filepath.Join(t.TempDir(), "root")
	sub := filepath.Join(root, "sub")
	for _, err := range []error{
		os.MkdirAll(sub, 0o777),
		os.WriteFile(filepath.Join(sub, "file"), nil, 0o666),
		os.Chmod(sub, 0o500),
		os.Chmod(root, 0o500),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := remove(root); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(root); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the tree is still there: %v", err)
	}
}
