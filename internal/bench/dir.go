package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"psync/internal/bench/tree"
)

// makeDir makes the directory that will hold all that this run makes: in parent,
// or if that is empty where there is room for the largest of the workloads.
func makeDir(parent string, shapes []tree.Shape, trees []workload) (string, error) {
	if parent == "" {
		parent = place(largestNeed(shapes, trees))
	}
	parent, err := realPath(parent)
	if err != nil {
		return "", err
	}
	for _, t := range trees {
		// A copy inside its source would be copied too, and the source is not ours.
		if rel, err := filepath.Rel(t.root, parent); err == nil && filepath.IsLocal(rel) {
			return "", fmt.Errorf("the work directory %s lies in the tree %s; choose another with -dir", parent, t.root)
		}
	}
	return os.MkdirTemp(parent, "psync-bench-")
}

func largestNeed(shapes []tree.Shape, trees []workload) int64 {
	var need int64
	for _, s := range shapes {
		need = max(need, s.Need())
	}
	for _, t := range trees {
		need = max(need, t.size.Footprint())
	}
	return need
}

// place returns a directory in memory if the machine has one with room for need
// bytes, else the directory for temporary files.
func place(need int64) string {
	if dir, ok := memoryDir(); ok {
		if free, err := room(dir); err == nil && free >= need {
			return dir
		}
	}
	return os.TempDir()
}

// remove removes a tree of ours. A copy may hold directories without write
// permission, which stop os.RemoveAll for all but root.
func remove(root string) error {
	err := os.RemoveAll(root)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return os.Chmod(path, 0o700)
		}
		return err
	})
	return errors.Join(err, os.RemoveAll(root))
}
