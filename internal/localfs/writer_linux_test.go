package localfs

import (
	"os"
	"path/filepath"
	"testing"

	"psync/internal/vfs"
)

func TestHasWriter(t *testing.T) {
	path, f := openNew(t, "x")
	if f.HasWriter() {
		t.Skip("this file system grants no leases")
	}
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if !f.HasWriter() {
		t.Error("a file open for writing has no writer")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if f.HasWriter() {
		t.Error("a file that was closed has a writer")
	}
	// The lease is released: opening the file does not block.
	w, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
}

// openNew makes a file with these contents, and opens it for reading.
func openNew(t *testing.T, contents string) (path string, f vfs.File) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, []byte(contents), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if f, err = d.OpenFile("f", vfs.ReadOnly, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return path, f
}
