package memfs_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// TestMemMovesTheChangeTime does to a file what changes it, and what does not.
func TestMemMovesTheChangeTime(t *testing.T) {
	m := memfs.New()
	d := m.Root()
	defer d.Close()
	fstest.Fill(t, d, "f 644 contents")
	f, err := d.OpenFile("f", vfs.ReadWrite, 0)
	must(t, err)
	defer f.Close()
	mtime := lstat(t, d, "f").Mtime
	for _, tt := range []struct {
		name string
		do   func() error
		want bool
	}{
		{"read", func() error { _, err := f.ReadAt(make([]byte, 1), 0); return err }, false},
		{"stat", func() error { _, err := vfs.Stat(f); return err }, false},
		{"write", func() error { _, err := f.WriteAt([]byte("C"), 0); return err }, true},
		{"truncate", func() error { return f.Truncate(8) }, true},
		{"put the time back", func() error { return vfs.Chtimes(f, mtime, mtime) }, true},
		{"chmod", func() error { return vfs.Chmod(vfs.In(d, "f"), 0o600) }, true},
		{"chown", func() error { return vfs.Chown(f, 1, 1) }, true},
		{"set an attribute", func() error { return vfs.SetXattr(f, "user.a", nil) }, true},
		{"remove an attribute that is not there", func() error { _ = vfs.RemoveXattr(f, "user.b"); return nil }, false},
		{"link", func() error { return d.Link(d, "f", "g") }, true},
		{"rename", func() error { return d.Rename("g", nil, "h", nil) }, true},
		{"unlink", func() error { return d.Remove("h", nil) }, true},
	} {
		before := lstat(t, d, "f").Ctime
		must(t, tt.do())
		if got := lstat(t, d, "f").Ctime != before; got != tt.want {
			t.Errorf("%s: the change time moved: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func lstat(t testing.TB, d vfs.Dir, name string) vfs.Attr {
	t.Helper()
	a, err := vfs.Lstat(d, name)
	must(t, err)
	return a
}
