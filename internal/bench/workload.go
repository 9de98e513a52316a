package bench

import (
	"context"
	"path/filepath"

	"psync/internal/bench/tree"
)

// A workload is a tree to copy.
type workload struct {
	name, about string
	root        string
	size        tree.Census
}

func newWorkload(ctx context.Context, name, about, root string) (workload, error) {
	size, err := tree.Count(ctx, root)
	return workload{name: name, about: about, root: root, size: size}, err
}

// readTrees returns the trees as workloads.
func readTrees(ctx context.Context, paths []string) ([]workload, error) {
	var trees []workload
	for _, path := range paths {
		root, err := realPath(path)
		if err != nil {
			return nil, err
		}
		w, err := newWorkload(ctx, filepath.Base(root), "a tree of this machine", root)
		if err != nil {
			return nil, err
		}
		trees = append(trees, w)
	}
	return trees, nil
}

func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}
