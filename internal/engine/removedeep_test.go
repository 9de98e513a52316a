package engine

import (
	"runtime"
	"testing"

	"psync/internal/engine/source"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
	"psync/internal/vfs/faultfs"
	"psync/internal/vfs/fstest"
	"psync/internal/vfs/memfs"
	"psync/internal/walk"
)

// silent is a sink that does nothing.
type silent struct{}

func (silent) Event(report.Event)  {}
func (silent) Wants() report.Wants { return report.Wants{} }

// deepTree makes a chain of directories, each of which also has a file and a directory.
func deepTree(t testing.TB, in vfs.Dir, depth int) {
	t.Helper()
	at := in
	for i := range depth {
		fstest.Fill(t, at, "deep/ 755\nfile 644 x\nside/file 644 x\n")
		sub, err := at.OpenDir("deep", vfs.NoFollow)
		if err != nil {
			t.Fatal(err)
		}
		if i > 0 {
			at.Close()
		}
		at = sub
	}
	at.Close()
}

// costOfDepth returns how many directories are opened and how many bytes are allocated to remove a chain of the given
// depth.
func costOfDepth(t testing.TB, depth, open int, remove func(root vfs.Dir, open int) error) (opened, bytes int) {
	t.Helper()
	root := memfs.New().Root()
	defer root.Close()
	fstest.Fill(t, root, "src/f 644 x\ndst/f 644 x\n")
	dst, err := root.OpenDir("dst", vfs.NoFollow)
	if err != nil {
		t.Fatal(err)
	}
	defer dst.Close()
	deepTree(t, dst, depth)
	var ops opCounter
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := remove(faultfs.New(root, ops.hook), open); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if _, err := vfs.Lstat(dst, "deep"); err == nil {
		t.Error("the tree is still there")
	}
	return ops.n["opendir"] + ops.n["openparent"], int(after.TotalAlloc - before.TotalAlloc)
}

// TestDeepTreesCostWhatTheyHold removes chains of directories: the cost grows with their depth, not with its square,
// however few directories are open.
func TestDeepTreesCostWhatTheyHold(t *testing.T) {
	verbs := map[string]func(root vfs.Dir, open int) error{
		"delete": func(root vfs.Dir, open int) error {
			dst, err := root.OpenDir("dst", vfs.NoFollow)
			if err != nil {
				return err
			}
			defer dst.Close()
			return RemoveTrees(t.Context(), Job{
				Options: Options{OpenDirs: open}, Workers: walk.NewSize(1, 1), Sources: []source.Tree{{Dir: dst, Names: []string{"deep"}}},
				Sink: silent{}, Stats: new(report.Stats),
			})
		},
		"sync --delete": func(root vfs.Dir, open int) error {
			src, err := root.OpenDir("src", vfs.NoFollow)
			if err != nil {
				return err
			}
			defer src.Close()
			dst, err := root.OpenDir("dst", vfs.NoFollow)
			if err != nil {
				return err
			}
			defer dst.Close()
			return Run(t.Context(), Job{
				Options: Options{Threads: 1, OpenDirs: open, Policy: plan.Policy{Delete: plan.Delete{On: true}}},
				Sources: []source.Tree{{Dir: src}}, Dest: dst,
				Sink: silent{}, Stats: new(report.Stats),
			})
		},
	}
	for name, remove := range verbs {
		for _, open := range []int{2, 20, 0} {
			few, fewBytes := costOfDepth(t, 300, open, remove)
			many, manyBytes := costOfDepth(t, 1200, open, remove)
			if many > 5*few {
				t.Errorf("%s, %d open: a depth of 300 takes %d openings, 1200 take %d", name, open, few, many)
			}
			if manyBytes > 6*fewBytes {
				t.Errorf("%s, %d open: a depth of 300 takes %d bytes, 1200 take %d", name, open, fewBytes, manyBytes)
			}
		}
	}
}
