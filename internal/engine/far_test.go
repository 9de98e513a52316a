package engine

import (
	"fmt"
	"strings"
	"testing"

	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// newFar returns a sync with a destination on a network file system.
func newFar(t *testing.T, dest *memfs.FS, src, dst string) *testbed {
	t.Helper()
	b := newSync(t, src, "")
	b.dst = dest
	b.job.Dest = onVolume(dest.Root(), vfs.Volume{Network: true})
	t.Cleanup(func() { b.job.Dest.Close() })
	fstest.Fill(t, b.job.Dest, dst)
	return b
}

// countDest counts the operations on the destination during a run, by "OP NAME".
func (b *testbed) countDest(t *testing.T) map[string]int {
	t.Helper()
	plain, ops := b.job.Dest, new(opCounter)
	b.job.Dest = faultfs.New(plain, func(op, name string) error { return ops.hook(op+" "+name, "") })
	defer func() { b.job.Dest = plain }()
	b.mustRun(t)
	return ops.n
}

// TestWhatAListingLacksIsNotLookedFor has a directory on a network file system, where each lookup of an entry takes a
// round trip.
func TestWhatAListingLacksIsNotLookedFor(t *testing.T) {
	tests := []struct {
		name, entry string
		set         func(*testbed)
		want        int // lookups of entry
	}{
		{"lacking", "new", nil, 0},
		{"there", "old", nil, 1},
		{"lacking, a link", "link", nil, 0},
		{"lacking, a directory", "dir", nil, 0},
		{"not ASCII", "n\u00e9w", nil, 1},
		{"not ASCII, where all names differ", "n\u00e9w", func(b *testbed) {
			b.job.Dest = onVolume(b.job.Dest.(located).Dir, vfs.Volume{Network: true, KeepsAttrs: true})
		}, 0},
		{"no UTF-8", "n\xffw", nil, 1},
		{"only what exists counts", "new", func(b *testbed) { b.job.Policy.Existing = true }, 1},
		{"mirrored", "new", func(b *testbed) { b.job.Delete.On = true }, 0},
		{"not on a network", "new", func(b *testbed) { b.job.Dest = b.job.Dest.(located).Dir }, 1},
		{"mirrored, not on a network", "new", func(b *testbed) {
			b.job.Dest, b.job.Delete.On = b.job.Dest.(located).Dir, true
		}, 1},
		{"not reported by a listing", "new", func(b *testbed) { b.job.DryRun = true }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newFar(t, memfs.New(), "new 644 x\nold 644 x\nlink -> x\ndir/f 644 x\nn\u00e9w 644 x\n\"n\\xffw\" 644 x\n", "old 644 other\n")
			if tt.set != nil {
				tt.set(b)
			}
			if got := b.countDest(t)["lstat "+tt.entry]; got != tt.want {
				t.Errorf("looked %d times, want %d", got, tt.want)
			}
		})
	}
}

// TestNamesThatAListingSpellsOtherwise has entries on a network file system that can be found under names other than
// those in their listing.
func TestNamesThatAListingSpellsOtherwise(t *testing.T) {
	tests := []struct {
		name     string
		new      func() *memfs.FS
		src, dst string
		want     string
	}{
		{"case", memfs.NewFolding, "readme 644 newer\n", "README 644 old\n", "README 644 newer\n"},
		{"case, mirrored", memfs.NewFolding, "readme 644 newer\n", "README 644 old\ngone 644 x\n", "README 644 newer\n"},
		{"case of a directory", memfs.NewFolding, "dir/f 644 newer\n", "DIR/F 644 old\n", "DIR/ 755\nDIR/F 644 newer\n"},
		{"composition", func() *memfs.FS { return memfs.NewMac(memfs.Mac{Folds: true}) }, "e\u0301 644 newer\n", "\u00e9 644 old\n", "e\u0301 644 newer\n"},
	}
	for _, tt := range tests {
		for _, usual := range []bool{false, true} { // whether most file systems of that kind distinguish all names
			t.Run(fmt.Sprintf("%s, usual %v", tt.name, usual), func(t *testing.T) {
				b := newFar(t, tt.new(), tt.src, tt.dst)
				b.job.Dest = onVolume(b.job.Dest.(located).Dir, vfs.Volume{Network: true, KeepsAttrs: usual})
				b.job.Delete.On = strings.Contains(tt.name, "mirrored")
				b.mustRun(t)
				b.wantTree(t, tt.want)
				if made := b.record.lines(report.Copy, report.Mkdir); made != nil {
					t.Errorf("made anew: %q", made)
				}
			})
		}
	}
}

// TestDirectoriesAreListedOnce mirrors trees that are equal and trees that differ slightly.
func TestDirectoriesAreListedOnce(t *testing.T) {
	const dirs = 6
	var tree strings.Builder
	for i := range dirs - 1 {
		fmt.Fprintf(&tree, "d%d/f 644 @2001-01-01T00:00:00Z x\nd%d/ 755 @2001-01-01T00:00:00Z\n", i, i)
	}
	tree.WriteString("./ 755 @2001-01-01T00:00:00Z\n")
	tests := []struct {
		name, dst     string
		near, deletes bool
		want          int // listings
	}{
		{"sync", tree.String(), false, false, dirs},
		{"mirror", tree.String(), false, true, dirs},
		{"mirror, not on a network", tree.String(), true, true, dirs},
		{"sync, not on a network", tree.String(), true, false, 0},
		{"something new", tree.String() + "new 644 x\n", false, true, dirs + 1}, // one more to remove it
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newFar(t, memfs.New(), tree.String(), tt.dst)
			b.job.Delete.On = tt.deletes
			if tt.near {
				b.job.Dest = b.job.Dest.(located).Dir
			}
			ops := b.countDest(t)
			if got := ops["readdir ."]; got != tt.want {
				t.Errorf("listed %d times, want %d", got, tt.want)
			}
			for i := range dirs - 1 {
				if got := ops[fmt.Sprintf("lstat d%d", i)]; got > 1 {
					t.Errorf("looked at d%d %d times", i, got)
				}
			}
		})
	}
}

// onto makes the root of a file system, filled with a tree, the destination.
func (b *testbed) onto(t *testing.T, dest *memfs.FS, tree string) {
	t.Helper()
	b.dst, b.job.Dest = dest, dest.Root()
	b.job.DestIsNew = false
	t.Cleanup(func() { b.job.Dest.Close() })
	fstest.Fill(t, b.job.Dest, tree)
}
