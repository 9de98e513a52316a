package survey

import (
	"psync/internal/vfs"
	"psync/internal/walk"
)

// A directory is a task: to examine the entries of a directory of the source.
type directory struct {
	walk.Node[vfs.Dir]
	w      *walker
	parent *directory // nil for the root
	name   string
	path   string // "" for the root
	lost   bool   // neither the directory nor its entries will be copied
	why    Kind   // why the directory is lost

	dir    vfs.Dir
	claim  *walk.Claim[*directory]
	shared *walk.SharedEntries[*directory, *worker, vfs.Entry]
}

// Open implements [walk.Dir].
func (d *directory) Open(in vfs.Dir) (vfs.Dir, error) { return in.OpenDir(d.name, vfs.NoFollow) }

// Close implements [walk.Dir].
func (d *directory) Close(dir vfs.Dir) { dir.Close() }

// at returns the path of the directory for messages.
func (d *directory) at() string {
	if d.path == "" {
		return "."
	}
	return d.path
}
