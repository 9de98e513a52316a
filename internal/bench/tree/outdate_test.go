package tree

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"
)

// outdated returns which of so many files of 3 bytes in a new tree are changed.
func outdated(t *testing.T, files int, seed uint64) []string {
	t.Helper()
	root, written := t.TempDir(), time.Now().Truncate(time.Second)
	for i := range files {
		path := filepath.Join(root, strconv.Itoa(i))
		if err := os.WriteFile(path, []byte("abc"), 0o444); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, written, written); err != nil {
			t.Fatal(err)
		}
	}
	if err := Outdate(t.Context(), root, seed); err != nil {
		t.Fatal(err)
	}
	var names []string
	paths, err := regularFiles(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		older := info.ModTime().Equal(written.Add(-time.Hour))
		if older != (info.Size() == 4) || info.Mode() != 0o444 {
			t.Errorf("%s: size %d, %v, %s older", info.Name(), info.Size(), info.Mode(), written.Sub(info.ModTime()))
		}
		if older {
			names = append(names, info.Name())
		}
	}
	return names
}

func TestOutdate(t *testing.T) {
	for files, want := range map[int]int{1: 1, 99: 1, 300: 3} {
		if got := outdated(t, files, 1); len(got) != want {
			t.Errorf("of %d files %v are outdated, want %d", files, got, want)
		}
	}
	first, again, other := outdated(t, 300, 1), outdated(t, 300, 1), outdated(t, 300, 2)
	if !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Errorf("seed 1: %v, then %v; seed 2: %v", first, again, other)
	}
	if err := Outdate(t.Context(), t.TempDir(), 1); err == nil {
		t.Error("an empty tree: want an error")
	}
}
