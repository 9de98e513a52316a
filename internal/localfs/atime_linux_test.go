package localfs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"psync/internal/vfs"
)

// TestNoXDevKeepsAccessTimes lists a directory opened with NoXDev from one opened with noatime.
func TestNoXDevKeepsAccessTimes(t *testing.T) {
	old := time.Unix(1e9, 0)
	list := func(noatime bool) (atime time.Time) {
		base := t.TempDir()
		sub := filepath.Join(base, "sub")
		mustDo(t, os.Mkdir(sub, 0o700))
		mustDo(t, os.WriteFile(filepath.Join(sub, "f"), nil, 0o600))
		mustDo(t, os.Chtimes(sub, old, time.Now()))
		d, err := Host{}.Open(base, vfs.OpenOptions{Noatime: noatime})
		mustDo(t, err)
		defer d.Close()
		within, err := d.OpenDir("sub", vfs.NoXDev)
		mustDo(t, err)
		defer within.Close()
		mustDo(t, within.ReadDir(func([]vfs.Entry) error { return nil }))
		a, err := vfs.Lstat(d, "sub")
		mustDo(t, err)
		return a.Atime
	}
	if list(false).Equal(old) {
		t.Skip("no access times here")
	}
	if got := list(true); !got.Equal(old) {
		t.Errorf("read at %v, want %v", got, old)
	}
}
