package remotefs

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"psync/internal/vfs"
)

// realDir returns an empty directory by a path without links.
func realDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	return dir
}

// TestLstatWhileListing calls Lstat on entries while their directory is listed repeatedly.
func TestLstatWhileListing(t *testing.T) {
	h := newHost(t)
	dir := realDir(t)
	must(t, os.WriteFile(filepath.Join(dir, "f"), nil, 0o600))
	d := openDir(t, h, dir)
	var listing sync.WaitGroup
	listing.Go(func() {
		for range 100 {
			if err := d.ReadDir(func([]vfs.Entry) error { return nil }); err != nil {
				t.Error(err)
			}
		}
	})
	for range 1000 {
		if _, err := vfs.Lstat(d, "f"); err != nil {
			t.Error(err)
			break
		}
	}
	listing.Wait()
}
