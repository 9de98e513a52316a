package remotefs

import (
	"io/fs"
	"strconv"
	"testing"

	"psync/internal/vfs"
)

// TestManyNewDirectories makes more directories than the server keeps open at a time, and opens them later.
func TestManyNewDirectories(t *testing.T) {
	h := newHost(t)
	d := openDir(t, h, realDir(t))
	const n = maxKeptOpen + 100
	for i := range n {
		must(t, d.Make(strconv.Itoa(i), vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}))
	}
	for i := range n {
		sub, err := d.OpenDir(strconv.Itoa(i), vfs.NoFollow)
		must(t, err)
		f, err := sub.OpenFile("f", vfs.CreateAsync, 0o600)
		must(t, err)
		_, err = f.Commit(nil, false)
		must(t, err)
		must(t, sub.Close())
	}
	if kept := h.kept.Load(); kept != 0 {
		t.Errorf("%d directories are kept open", kept)
	}
	must(t, d.Make("kept", vfs.Spec{Mode: fs.ModeDir | 0o700, Async: true}))
	must(t, d.Close())
	if kept := h.kept.Load(); kept != 0 {
		t.Errorf("%d directories are kept open by a closed one", kept)
	}
}
