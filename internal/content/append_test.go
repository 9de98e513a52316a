package content_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"psync/internal/content"
	"psync/internal/vfs"
)

// TestAppend copies the bytes of a file that follow those copied before.
func TestAppend(t *testing.T) {
	path := t.TempDir()
	old, all := bytes.Repeat([]byte("old"), 1000), bytes.Repeat([]byte("old"), 100_000)
	if err := os.WriteFile(filepath.Join(path, "src"), all, 0o666); err != nil {
		t.Fatal(err)
	}
	d := openLocal(t, path)
	src, err := d.OpenFile("src", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	dst := create(t, d, "dst")
	defer dst.Close()
	if _, err := dst.WriteAt(old, 0); err != nil {
		t.Fatal(err)
	}
	copied := int64(0)
	c := content.Copier{Progress: func(n int64) { copied += n }}
	for range 2 { // the second time, there is nothing new
		if err := c.Append(t.Context(), dst, src, int64(len(old))+copied); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(filepath.Join(path, "dst")); err != nil || !bytes.Equal(got, all) || copied != int64(len(all)-len(old)) {
		t.Errorf("%d bytes, %d reported, %v", len(got), copied, err)
	}
}

// TestDense fills the holes of the source.
func TestDense(t *testing.T) {
	path := t.TempDir()
	d := openLocal(t, path)
	hole := create(t, d, "src")
	if _, err := hole.WriteAt([]byte("data"), 1<<20); err != nil {
		t.Fatal(err)
	}
	if err := hole.Close(); err != nil {
		t.Fatal(err)
	}
	src, err := d.OpenFile("src", vfs.ReadOnly, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	attr, err := vfs.Stat(src)
	if err != nil {
		t.Fatal(err)
	}
	if attr.Blocks*512 >= attr.Size {
		t.Skip("no holes on this file system")
	}
	dst := create(t, d, "dst")
	defer dst.Close()
	c := content.Copier{Options: content.Options{Dense: true, Reflink: content.ReflinkNever}, Progress: func(int64) {}}
	var routes content.Routes
	if err := c.Copy(t.Context(), dst, src, attr, routes.Between(content.Device{}, content.Device{})); err != nil {
		t.Fatal(err)
	}
	now, err := vfs.Stat(dst)
	if err != nil {
		t.Fatal(err)
	}
	if now.Size != attr.Size || now.Blocks*512 < now.Size {
		t.Errorf("%d bytes take %d blocks of 512", now.Size, now.Blocks)
	}
	got, err := os.ReadFile(filepath.Join(path, "dst"))
	want := append(make([]byte, 1<<20), "data"...)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("other contents: %v", err)
	}
}
