package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
)

// listRules test ReadDir.
var listRules = []rule{
	{name: "ReadDir yields each name once, again and again", check: func(t *testing.T, d vfs.Dir) {
		for _, n := range []int{0, 1, 1200} {
			sub := mkdir(t, d, fmt.Sprint(n))
			names := putMany(t, sub, n)
			wantNames(t, sub, names...)
			wantNames(t, sub, names...)
		}
	}},
	{name: "ReadDir reports types", tree: "file 644\ndir/\nlink -> dir", check: func(t *testing.T, d vfs.Dir) {
		want := map[string]fs.FileMode{"file": 0, "dir": fs.ModeDir, "link": fs.ModeSymlink}
		got := make(map[string]fs.FileMode)
		must(t, d.ReadDir(func(entries []vfs.Entry) error {
			for _, e := range entries {
				got[e.Name] = e.Type
			}
			return nil
		}))
		if !maps.Equal(got, want) {
			t.Errorf("listed %v, want %v", got, want)
		}
	}},
	{name: "ReadDir sees later changes", tree: "a 644", check: func(t *testing.T, d vfs.Dir) {
		wantNames(t, d, "a")
		put(t, d, "b", "")
		wantNames(t, d, "a", "b")
		must(t, d.Remove("a", nil))
		wantNames(t, d, "b")
	}},
	{name: "ReadDir stops at the error of yield", check: func(t *testing.T, d vfs.Dir) {
		putMany(t, d, 1200)
		stop := errors.New("enough")
		calls := 0
		err := d.ReadDir(func([]vfs.Entry) error {
			calls++
			return stop
		})
		if !errors.Is(err, stop) || calls != 1 {
			t.Errorf("error %v after %d calls, want %v after one", err, calls, stop)
		}
	}},
	{name: "ReadDir lets yield use the directory", check: func(t *testing.T, d vfs.Dir) {
		names := putMany(t, d, 10)
		must(t, d.ReadDir(func(entries []vfs.Entry) error {
			wantNames(t, d, names...)
			for _, e := range entries {
				lstat(t, d, e.Name)
			}
			return nil
		}))
	}},
	{name: "many may list a directory at once", check: func(t *testing.T, d vfs.Dir) {
		files := len(putMany(t, d, 500))
		concurrently(func(int) {
			if names, err := fstest.Names(d); err != nil || len(names) != files {
				t.Errorf("listed %d names, %v; want %d", len(names), err, files)
			}
		})
	}},
}

// putMany makes n files, and returns their names.
func putMany(t testing.TB, d vfs.Dir, n int) (names []string) {
	t.Helper()
	for i := range n {
		names = append(names, fmt.Sprintf("file %d", i))
		put(t, d, names[i], "")
	}
	return names
}
