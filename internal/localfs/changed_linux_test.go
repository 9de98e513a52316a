package localfs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"psync/internal/vfs"
)

func TestChangedTellsSizesAndTimes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	change := func(size int, sec int64) {
		t.Helper()
		if err := os.WriteFile(path, make([]byte, size), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(sec, 5)); err != nil {
			t.Fatal(err)
		}
	}
	change(3, -7)
	d, err := Open(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	f, err := d.Open("f")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	was, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		size int
		sec  int64
		want bool
	}{{3, -7, false}, {4, -7, true}, {3, -8, true}, {3, -7, false}} {
		change(tt.size, tt.sec)
		if got, err := f.(vfs.ChangeTeller).Changed(was); got != tt.want || err != nil {
			t.Errorf("size %d, time %d: Changed = %v, %v; want %v", tt.size, tt.sec, got, err, tt.want)
		}
	}
}
