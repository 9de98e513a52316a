package job

import (
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// OpenDest opens the destination of the directory at k. The caller calls closeDir when it is done.
func (r *Run) OpenDest(k Key) (dir vfs.Dir, closeDir func(), err error) {
	at := r.Roots[k.Source].Dest()
	root, _, err := at.Use()
	if err != nil {
		return nil, nil, err
	}
	return pairs.OpenKept(root.Dst, k.Path, r.Links.KeepDirlinks, at.Done)
}

// Reopen reopens the destination of d, which was closed.
func (r *Run) Reopen(d *DirInfo) (dir vfs.Dir, closeDir func(), err error) {
	dir, closeDir, err = r.OpenDest(d.Key())
	if err != nil || d.Task.Path == "" || !r.Links.KeepDirlinks {
		return dir, closeDir, err
	}
	// Another process may have put a link in its place.
	attr, err := dir.Lstat(".")
	if err == nil && attr.ID() != d.DestAttr.ID() {
		err = source.ErrSwapped
	}
	if err != nil {
		closeDir()
		return nil, nil, err
	}
	return dir, closeDir, nil
}
