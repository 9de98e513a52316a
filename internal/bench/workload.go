package bench

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A workload is a tree to copy.
type workload struct {
	name, about string
	root        string
	size        census
}

// A census is what a tree holds.
type census struct {
	files, dirs, links int // regular files, directories without the root, symbolic links
	bytes              int64
}

func (c census) String() string {
	return fmt.Sprintf("%d files, %d directories, %d links, %s", c.files, c.dirs, c.links, mebibytes(c.bytes))
}

func (c census) entries() int { return c.files + c.dirs + c.links }

// footprint returns about how many bytes of room a copy takes.
func (c census) footprint() int64 { return footprint(c.bytes, c.entries()) }

func mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// lost names the kinds of entries of which a copy has fewer than c.
func (c census) lost(in census) []string {
	var kinds []string
	if in.links < c.links {
		kinds = append(kinds, "links")
	}
	if in.dirs < c.dirs {
		kinds = append(kinds, "directories")
	}
	return kinds
}

func newWorkload(ctx context.Context, name, about, root string) (workload, error) {
	size, err := count(ctx, root)
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

// count takes the census of the tree at root.
func count(ctx context.Context, root string) (census, error) {
	var c census
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && path != root:
			c.dirs++
		case d.Type() == fs.ModeSymlink:
			c.links++
		case d.Type().IsRegular():
			info, err := d.Info()
			if err != nil {
				return err
			}
			c.files++
			c.bytes += info.Size()
		}
		return nil
	})
	return c, err
}
