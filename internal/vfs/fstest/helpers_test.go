package fstest_test

import (
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// newRoot returns the root of a new file system in memory, which must be left without open handles.
func newRoot(t testing.TB) vfs.Dir { return checked(t, memfs.New()).Root() }

// checked checks when the test ends that a file system in memory is left without open handles.
func checked(t testing.TB, m *memfs.FS) *memfs.FS {
	t.Cleanup(func() {
		if n := m.Open(); n != 0 {
			t.Errorf("%d handles are still open", n)
		}
	})
	return m
}

// closeLater closes a directory when the test ends.
func closeLater(t testing.TB, d vfs.Dir) vfs.Dir {
	t.Cleanup(func() { must(t, d.Close()) })
	return d
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
