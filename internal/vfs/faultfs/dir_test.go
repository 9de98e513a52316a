package faultfs_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

func TestWrapperHasTheCapsOfTheInnerDir(t *testing.T) {
	inner := memfs.New().TestRoot(t)
	d := faultfs.New(inner, nil)
	if got, want := d.Caps(), inner.Caps(); got != want {
		t.Errorf("Caps() = %b, want %b", got, want)
	}
	if got := d.(interface{ Unwrap() vfs.Dir }).Unwrap(); got != inner {
		t.Errorf("Unwrap() = %v, want %v", got, inner)
	}
}

// TestWrappersOfOneFileSystemWorkTogether links and moves between directories that
// are wrapped differently.
func TestWrappersOfOneFileSystemWorkTogether(t *testing.T) {
	m := memfs.New()
	plain := m.TestRoot(t)
	fstest.Fill(t, plain, "file 644 contents")
	once := faultfs.New(m.TestRoot(t), nil)
	twice := faultfs.NewLatency(faultfs.New(m.TestRoot(t), nil), 0)
	must(t, plain.Link(twice, "file", "a"))
	must(t, once.Link(plain, "file", "b"))
	must(t, twice.Link(once, "file", "c"))
	must(t, once.Rename("a", twice, "d", nil))
	const want = "b 644 contents\nc 644 contents\nd 644 contents\nfile 644 contents\n"
	if got := fstest.Tree(t, plain); got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}
