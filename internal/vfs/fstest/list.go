package fstest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"sync"
	"testing"

	"psync/internal/vfs"
)

func listPromises() []promise {
	return []promise{
		{"ReadDir yields each name once, again and again", listOnce},
		{"ReadDir tells types", listTypes},
		{"ReadDir sees what has changed since", listAgain},
		{"ReadDir stops at the error of yield", listStops},
		{"ReadDir lets yield use the directory", listReentrant},
		{"many may list a directory at once", listConcurrently},
	}
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

func listOnce(t *testing.T, d vfs.Dir) {
	for _, n := range []int{0, 1, 3000} {
		sub := mkdir(t, d, fmt.Sprint(n))
		names := putMany(t, sub, n)
		wantNames(t, sub, names...)
		wantNames(t, sub, names...)
	}
}

func listTypes(t *testing.T, d vfs.Dir) {
	Fill(t, d, "file 644\ndir/\nlink -> dir")
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
}

func listAgain(t *testing.T, d vfs.Dir) {
	put(t, d, "a", "")
	wantNames(t, d, "a")
	put(t, d, "b", "")
	wantNames(t, d, "a", "b")
	must(t, d.Remove("a"))
	wantNames(t, d, "b")
}

func listStops(t *testing.T, d vfs.Dir) {
	putMany(t, d, 3000)
	stop := errors.New("enough")
	calls := 0
	err := d.ReadDir(func([]vfs.Entry) error {
		calls++
		return stop
	})
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("error %v after %d calls, want %v after one", err, calls, stop)
	}
}

func listReentrant(t *testing.T, d vfs.Dir) {
	names := putMany(t, d, 10)
	must(t, d.ReadDir(func(entries []vfs.Entry) error {
		wantNames(t, d, names...)
		for _, e := range entries {
			if _, err := d.Lstat(e.Name); err != nil {
				return err
			}
		}
		return nil
	}))
}

func listConcurrently(t *testing.T, d vfs.Dir) {
	files := len(putMany(t, d, 500))
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if names, err := list(d); err != nil || len(names) != files {
				t.Errorf("listed %d names, %v; want %d", len(names), err, files)
			}
		})
	}
	wg.Wait()
}
