package listing

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"psync/internal/vfs"
)

// readDir yields entries in pieces.
func readDir(entries []vfs.Entry) func(func([]vfs.Entry) error) error {
	return func(yield func([]vfs.Entry) error) error {
		for part := range slices.Chunk(entries, 1000) {
			if err := yield(part); err != nil {
				return err
			}
		}
		return nil
	}
}

func TestOrder(t *testing.T) {
	types := []fs.FileMode{0, fs.ModeDir, fs.ModeSymlink, fs.ModeNamedPipe, fs.ModeSocket, fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice, fs.ModeIrregular}
	for _, n := range []int{0, 1, 2, 999, sortedAtOnce - 1, sortedAtOnce, sortedAtOnce + 1, 5*sortedAtOnce + 17} {
		entries := make([]vfs.Entry, n)
		for i := range entries {
			entries[i] = vfs.Entry{Name: fmt.Sprint("n", i, strings.Repeat("x", rand.IntN(250))), Type: types[i%len(types)], Ino: rand.Uint64N(uint64(n))}
			if i%10 == 0 {
				entries[i].Ino += 1 << 63
			}
		}
		want := slices.Clone(entries)
		slices.SortStableFunc(want, func(a, b vfs.Entry) int { return cmp.Compare(a.Ino, b.Ino) })
		l, err := Read(readDir(entries))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if got := slices.Collect(l.All()); !slices.Equal(got, want) {
				t.Errorf("%d entries: out of order", n)
			}
		}
		var got []vfs.Entry
		for e, ok := l.Take(); ok; e, ok = l.Take() {
			got = append(got, e)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d entries, taken: out of order", n)
		}
	}
}

func TestErrors(t *testing.T) {
	want := errors.New("no")
	if _, err := Read(func(func([]vfs.Entry) error) error { return want }); err != want {
		t.Errorf("got %v", err)
	}
}
