package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"psync/internal/bench/tree"
)

// makeDir makes the work directory: in parent, or, if parent is empty, where there is room for the largest
// workload.
func makeDir(parent string, shapes []tree.Shape, trees []workload) (string, error) {
	if parent == "" {
		parent = place(largestNeed(shapes, trees))
	}
	parent, err := realPath(parent)
	if err != nil {
		return "", err
	}
	for _, t := range trees {
		// A copy inside its source would also be copied, and the source belongs to the user.
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

// place returns a directory in memory if there is one with room for need bytes, and otherwise the directory
// for temporary files.
func place(need int64) string {
	if dir, ok := memoryDir(); ok {
		if free, err := room(dir); err == nil && free >= need {
			return dir
		}
	}
	return os.TempDir()
}

// remove removes a tree in the work directory. A copy may contain read-only directories, which make
// os.RemoveAll fail for users other than root.
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
