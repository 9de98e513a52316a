package tree

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
)

// A Census holds the numbers of entries and bytes of a tree.
type Census struct {
	Files, Dirs, Links int // regular files, directories without the root, symbolic links
	Bytes              int64
}

func (c Census) String() string {
	return fmt.Sprintf("%d files, %d directories, %d links, %s", c.Files, c.Dirs, c.Links, Mebibytes(c.Bytes))
}

func (c Census) Entries() int { return c.Files + c.Dirs + c.Links }

// Footprint returns the approximate space, in bytes, that a copy takes.
func (c Census) Footprint() int64 { return footprint(c.Bytes, c.Entries()) }

func Mebibytes(n int64) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }

// Lost returns the kinds of entries of which a copy has fewer than c.
func (c Census) Lost(in Census) []string {
	var kinds []string
	if in.Links < c.Links {
		kinds = append(kinds, "links")
	}
	if in.Dirs < c.Dirs {
		kinds = append(kinds, "directories")
	}
	return kinds
}

// Count returns the census of the tree at root.
func Count(ctx context.Context, root string) (Census, error) {
	var c Census
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && path != root:
			c.Dirs++
		case d.Type() == fs.ModeSymlink:
			c.Links++
		case d.Type().IsRegular():
			info, err := d.Info()
			if err != nil {
				return err
			}
			c.Files++
			c.Bytes += info.Size()
		}
		return nil
	})
	return c, err
}
