package ui

import (
	"io/fs"
	"testing"
	"time"

	"psync/internal/vfs"
)

func TestListLine(t *testing.T) {
	at := time.Date(2001, 2, 3, 4, 5, 6, 7, time.Local)
	for _, tt := range []struct {
		mode   fs.FileMode
		size   int64
		target string
		want   string
	}{
		{0o644, 12, "", "-rw-r--r--             12 2001/02/03 04:05:06 a\\#012b"},
		{fs.ModeDir | fs.ModeSticky | 0o777, 4096, "", "drwxrwxrwt          4,096 2001/02/03 04:05:06 a\\#012b"},
		{fs.ModeSetuid | fs.ModeSetgid | 0o710, 1 << 40, "", "-rws--s--- 1,099,511,627,776 2001/02/03 04:05:06 a\\#012b"},
		{fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky, 0, "", "---S--S--T              0 2001/02/03 04:05:06 a\\#012b"},
		{fs.ModeSymlink | 0o777, 3, "x\ny", "lrwxrwxrwx              3 2001/02/03 04:05:06 a\\#012b -> x\\#012y"},
		{fs.ModeDevice | 0o660, 3, "", "brw-rw----              0 2001/02/03 04:05:06 a\\#012b"},
		{fs.ModeDevice | fs.ModeCharDevice | 0o600, 3, "", "crw-------              0 2001/02/03 04:05:06 a\\#012b"},
		{fs.ModeNamedPipe | 0o600, 0, "", "prw-------              0 2001/02/03 04:05:06 a\\#012b"},
		{fs.ModeSocket | 0o600, 0, "", "srw-------              0 2001/02/03 04:05:06 a\\#012b"},
	} {
		got := ListLine("a\nb", vfs.Attr{Mode: tt.mode, Size: tt.size, Mtime: at}, tt.target)
		if got != tt.want {
			t.Errorf("%v:\n%s, want\n%s", tt.mode, got, tt.want)
		}
	}
}
