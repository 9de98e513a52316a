package memfs

import (
	"testing"

	"psync/internal/vfs"
)

// TestRoot opens the root directory for a test. When the test ends, it is closed, and the test fails
// unless everything that was opened since is closed, too.
func (m *FS) TestRoot(t testing.TB) vfs.Dir {
	before, root := m.Open(), m.Root()
	t.Cleanup(func() {
		if err := root.Close(); err != nil {
			t.Error(err)
		}
		if n := m.Open() - before; n != 0 {
			t.Errorf("%d handles are still open", n)
		}
	})
	return root
}
