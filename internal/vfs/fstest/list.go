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
		{"ReadDir yields each name once", listOnce},
		{"ReadDir tells types", listTypes},
		{"ReadDir sees what has changed since", listAgain},
		{"ReadDir stops at the error of yield", listStops},
		{"ReadDir lets yield use the directory", listReentrant},
		{"many may list a directory at once", listConcurrently},
	}
}

func listOnce(t *testing.T, d vfs.Dir) {
	for _, n := range []int{0, 1, 3000} {
		sub := mkdir(t, d, fmt.Sprint(n))
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("file %d", i))
			put(t, sub, names[i], "")
		}
		wantNames(t, sub, names...)
		wantNames(t, sub, names...)
	}
}

func listTypes(t *testing.T, d vfs.Dir) {
	put(t, d, "file", "")
	must(t, d.Mkdir("dir", 0o755))
	must(t, d.Symlink("dir", "link"))
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
	for i := range 3000 {
		put(t, d, fmt.Sprint(i), "")
	}
	stop := errors.New("enough")
	calls := 0
	err := d.ReadDir(func([]vfs.Entry) error {
		calls++
		return stop
	})
	if !errors.Is(err, stop) {
		t.Errorf("error %v, want %v", err, stop)
	}
	if calls != 1 {
		t.Errorf("yield was called %d times, want once", calls)
	}
}

func listReentrant(t *testing.T, d vfs.Dir) {
	for i := range 10 {
		put(t, d, fmt.Sprint(i), "")
	}
	must(t, d.ReadDir(func(entries []vfs.Entry) error {
		wantNames(t, d, "0", "1", "2", "3", "4", "5", "6", "7", "8", "9")
		for _, e := range entries {
			if _, err := d.Lstat(e.Name); err != nil {
				return err
			}
		}
		return nil
	}))
}

func listConcurrently(t *testing.T, d vfs.Dir) {
	const files = 500
	for i := range files {
		put(t, d, fmt.Sprint(i), "")
	}
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
