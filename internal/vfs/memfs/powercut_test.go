package memfs_test

import (
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"psync/internal/vfs"
	"psync/internal/vfs/memfs"
)

// TestPowerCutLeaves looks at all that many power cuts leave of one file.
func TestPowerCutLeaves(t *testing.T) {
	write := func(t *testing.T, f vfs.File, off int64, data string) {
		_, err := f.WriteAt([]byte(data), off)
		must(t, err)
	}
	for _, tt := range []struct {
		name string
		do   func(t *testing.T, f vfs.File)
		want []string
	}{
		{"written", func(t *testing.T, f vfs.File) { write(t, f, 0, "ab") }, []string{"", "a", "ab"}},
		{"written in two steps", func(t *testing.T, f vfs.File) { write(t, f, 0, "a"); write(t, f, 1, "b") }, []string{"", "a", "ab"}},
		{"synced", func(t *testing.T, f vfs.File) { write(t, f, 0, "ab"); must(t, f.Sync()) }, []string{"ab"}},
		{"written again", func(t *testing.T, f vfs.File) {
			write(t, f, 0, "ab")
			must(t, f.Sync())
			write(t, f, 0, "AB")
		}, []string{"AB", "Ab", "ab"}},
		{"made longer", func(t *testing.T, f vfs.File) { write(t, f, 0, "a"); must(t, f.Truncate(2)) }, []string{"\x00\x00", "a\x00"}},
		{"with a gap", func(t *testing.T, f vfs.File) { write(t, f, 0, "a"); write(t, f, 2, "b") }, []string{"", "\x00\x00b", "a", "a\x00b"}},
	} {
		got := make(map[string]bool)
		for seed := range uint64(100) {
			m := memfs.NewVolatile()
			d := m.Root()
			f, err := d.OpenFile("f", vfs.Create, 0o644)
			must(t, err)
			tt.do(t, f)
			must(t, f.Close())
			m.PowerCut(rand.New(rand.NewPCG(seed, 0)))
			f, err = d.OpenFile("f", vfs.ReadOnly, 0)
			must(t, err)
			data, err := io.ReadAll(io.NewSectionReader(f, 0, 10))
			must(t, err)
			must(t, f.Close())
			got[string(data)] = true
		}
		for _, s := range tt.want {
			if !got[s] {
				t.Errorf("%s: never %q", tt.name, s)
			}
			delete(got, s)
		}
		if len(got) > 0 {
			t.Errorf("%s: also %v", tt.name, slices.Collect(maps.Keys(got)))
		}
	}
}
