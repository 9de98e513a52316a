package job

import (
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// Reopen reopens the destination of d, which was closed.
func (r *Run) Reopen(d *Dir) (dir vfs.Dir, closeDir func(), err error) {
	dir, closeDir, err = r.Roots.OpenDest(d.Key(), r.Job.Links.KeepDirlinks)
	if err != nil || d.Task.Path == "" || !r.Job.Links.KeepDirlinks {
		return dir, closeDir, err
	}
	// Another process may have put a link in its place.
	attr, err := vfs.Lstat(dir, ".")
	if err == nil && attr.ID() != d.DestAttr.ID() {
		err = source.ErrSwapped
	}
	if err != nil {
		closeDir()
		return nil, nil, err
	}
	return dir, closeDir, nil
}
