package fstest

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"

	"psync/internal/vfs"
)

func openCreatePromises() []promise {
	return []promise{
		{"OpenCreate makes what is missing", openCreateMakes},
		{"OpenCreate leaves what is there as it is", openCreateKeeps},
		{"OpenCreate follows no link", openCreateLink},
		{"OpenCreate refuses a directory", openCreateDir},
	}
}

// openCreate calls that method, or skips the test if there is none behind it.
func openCreate(t testing.TB, d vfs.Dir, name string, perm fs.FileMode) (vfs.File, error) {
	t.Helper()
	needs(t, d, vfs.CanOpenCreate)
	f, err := d.OpenCreate(name, perm)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	return f, err
}

func openCreateMakes(t *testing.T, d vfs.Dir) {
	f, err := openCreate(t, d, "f", 0o640)
	must(t, err)
	_, err = f.WriteAt([]byte("contents"), 0)
	must(t, err)
	must(t, f.Close())
	want(t, d, "f", "contents")
	if got := lstat(t, d, "f").Mode; got != 0o640 {
		t.Errorf("mode %v, want 0640", got)
	}
}

func openCreateKeeps(t *testing.T, d vfs.Dir) {
	Fill(t, d, "f 640 @2001-02-03T04:05:06Z contents")
	before := lstat(t, d, "f")
	f, err := openCreate(t, d, "f", 0o600)
	must(t, err)
	if a, err := f.Stat(); err != nil || a != before {
		t.Errorf("Stat = %+v, %v; want %+v", a, err, before)
	}
	must(t, f.Close())
	want(t, d, "f", "contents")
}

func openCreateLink(t *testing.T, d vfs.Dir) {
	Fill(t, d, "f 640 contents\nl -> f\n")
	if f, err := openCreate(t, d, "l", 0o600); !errors.Is(err, syscall.ELOOP) && !errors.Is(err, syscall.EMLINK) {
		t.Errorf("OpenCreate of a link = %v, %v", f, err)
	}
}

func openCreateDir(t *testing.T, d vfs.Dir) {
	Fill(t, d, "d/ 755\n")
	if f, err := openCreate(t, d, "d", 0o600); !errors.Is(err, syscall.EISDIR) {
		t.Errorf("OpenCreate of a directory = %v, %v", f, err)
	}
}
