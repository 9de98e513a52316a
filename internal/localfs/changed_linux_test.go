package localfs

import (
	"os"
	"testing"
	"time"

	"psync/internal/vfs"
)

func TestStatxReportsWhatStatDoes(t *testing.T) {
	path, f := openNew(t, "")
	for _, tt := range []struct {
		size, sec int64
		what      vfs.StatxWant
	}{{3, -7, vfs.StatxChange}, {4, -7, vfs.StatxFresh}, {4, -8, vfs.StatxChange}} {
		if err := os.Truncate(path, tt.size); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Time{}, time.Unix(tt.sec, 5)); err != nil {
			t.Fatal(err)
		}
		want, err := vfs.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.Statx(tt.what)
		if err != nil || got.Size != tt.size || !got.Mtime.Equal(want.Mtime) || got.Ctime != want.Ctime || got.Ctime == 0 {
			t.Errorf("Statx = %+v, %v; want size, mtime and ctime of %+v", got, err, want)
		}
	}
}
