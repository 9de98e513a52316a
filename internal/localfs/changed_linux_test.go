package localfs

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"psync/internal/vfs"
)

func TestStatChangeTellsWhatStatDoes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
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
	for _, tt := range []struct {
		size, sec int64
		fresh     bool
	}{{3, -7, false}, {4, -7, true}, {4, -8, false}} {
		if err := os.Truncate(path, tt.size); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(tt.sec, 5)); err != nil {
			t.Fatal(err)
		}
		want, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.(vfs.ChangeStater).StatChange(tt.fresh)
		if err != nil || got.Size != tt.size || !got.Mtime.Equal(want.Mtime) || got.Ctime != want.Ctime || got.Ctime == 0 {
			t.Errorf("StatChange = %+v, %v; want size, mtime and ctime of %+v", got, err, want)
		}
	}
}
