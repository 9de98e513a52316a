package mirror

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"psync/internal/engine/dirnames"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/engine/volume"
	"psync/internal/plan"
	"psync/internal/vfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
)

// namesOf returns the names in a directory.
func namesOf(t *testing.T, dir vfs.Dir) *dirnames.Set {
	t.Helper()
	names := new(dirnames.Set)
	err := dir.ReadDir(func(entries []vfs.Entry) error {
		for _, e := range entries {
			names.Add(e.Name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// keeps protects the names that start with it.
type keeps string

func (k keeps) Hidden(string, bool) bool               { return false }
func (k keeps) Protected(path string, isDir bool) bool { return strings.HasPrefix(path, string(k)) }

// find returns what is extraneous in dst, directories with a slash, and the number of entries it counted.
func find(t *testing.T, src, dst vfs.Dir) (found []string, counted int64) {
	t.Helper()
	j := newWorker(fails{t}, func(r *job.Run) {
		r.Selector = source.NewSelector(source.Selection{Rules: keeps("kept")}, plan.Links{}, nil)
	})
	info := &job.Dir{DstVolume: new(volume.Volume)}
	x, _, err := FindExtraneous(j, info.Open(pairs.Pair{Src: src, Dst: dst}), namesOf(t, src), nil)
	if err != nil {
		t.Fatal(err)
	}
	if x == nil {
		return nil, total(j)
	}
	for _, e := range x.Dirs {
		found = append(found, e.Name+"/")
	}
	err = x.Others(t.Context(), func(entries []vfs.Entry) error {
		for _, e := range entries {
			found = append(found, e.Name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found, total(j)
}

// total returns how many entries were counted.
func total(j *job.Worker) int64 {
	j.Run.Budget.Max = &plan.Limit{N: 100, Percent: true}
	j.Run.Budget.SetUncounted()
	over, _ := errors.AsType[*job.LimitError](j.Run.Budget.Approve())
	return over.Limit
}

func TestExtraneous(t *testing.T) {
	tests := []struct {
		src, dst string
		folds    bool // the destination ignores case
		want     []string
	}{
		{src: "f 644 x\n", dst: "f 644 x\n"},
		{src: "f 644 x\n", dst: "f 644 x\ngone 644 x\nold/f 644 x\nkept 644 x\nkept.d/ 755\n", want: []string{"gone", "old/"}},
		{src: "F 644 x\n", dst: "f 644 x\ngone 644 x\n", want: []string{"f", "gone"}},
		{src: "F 644 x\nD/ 755\n", dst: "f 644 x\ngone 644 x\nd/ 755\n", folds: true, want: []string{"gone"}},
	}
	for _, tt := range tests {
		from, to := memfs.New(), memfs.New()
		if tt.folds {
			to = memfs.NewFolding()
		}
		src, dst := from.Root(), to.Root()
		defer src.Close()
		defer dst.Close()
		fstest.Fill(t, src, tt.src)
		fstest.Fill(t, dst, tt.dst)
		if got, _ := find(t, src, dst); !slices.Equal(got, tt.want) {
			t.Errorf("%q, %q: %q, want %q", tt.src, tt.dst, got, tt.want)
		}
	}
}

// TestVeryManyExtraneousEntries has more extraneous entries than are kept in memory.
func TestVeryManyExtraneousEntries(t *testing.T) {
	src, dst := memfs.New().Root(), memfs.New().Root()
	defer src.Close()
	defer dst.Close()
	const n = fewExtraneous + 100
	var tree strings.Builder
	for i := range n {
		fmt.Fprintf(&tree, "gone%d 644 x\n", i)
	}
	fstest.Fill(t, dst, tree.String())
	got, counted := find(t, src, dst)
	if len(got) != n || len(slices.Compact(got)) != n {
		t.Errorf("%d found, want each of %d once", len(got), n)
	}
	if counted != n {
		t.Errorf("%d counted, want %d", counted, n)
	}
}
