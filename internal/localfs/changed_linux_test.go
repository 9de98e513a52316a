package localfs

import (
	"os"
	"testing"
	"time"
)

func TestStatChangeReportsWhatStatDoes(t *testing.T) {
	path, f := openNew(t, "")
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
		got, err := f.StatChange(tt.fresh)
		if err != nil || got.Size != tt.size || !got.Mtime.Equal(want.Mtime) || got.Ctime != want.Ctime || got.Ctime == 0 {
			t.Errorf("StatChange = %+v, %v; want size, mtime and ctime of %+v", got, err, want)
		}
	}
}
