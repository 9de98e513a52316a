package remotefs

import (
	"path/filepath"
	"testing"
)

// realDir returns an empty directory by a path without links.
func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}
