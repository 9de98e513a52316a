package engine

import (
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// openDest opens the destination of the directory at k. The caller calls closeDir when it is done.
func (r *jobRun) openDest(k key) (dir vfs.Dir, closeDir func(), err error) {
	at := r.roots[k.source].Dest()
	root, _, err := at.Use()
	if err != nil {
		return nil, nil, err
	}
	return pairs.OpenKept(root.Dst, k.path, r.Links.KeepDirlinks, at.Done)
}

// openSource opens the source of the directory at k likewise.
func (r *jobRun) openSource(k key) (dir vfs.Dir, closeDir func(), err error) {
	at := r.roots[k.source]
	root, _, err := at.Use()
	if err != nil {
		return nil, nil, err
	}
	return pairs.OpenKept(root.Src, k.path, r.Links.Follows(), at.Done)
}

// reopen opens the destination of d, which was closed, once more.
func (r *jobRun) reopen(d *dirInfo) (dir vfs.Dir, closeDir func(), err error) {
	dir, closeDir, err = r.openDest(d.key())
	if err != nil || d.task.Path == "" || !r.Links.KeepDirlinks {
		return dir, closeDir, err
	}
	// Somebody may have put a link in its place.
	attr, err := dir.Lstat(".")
	if err == nil && attr.ID() != d.destAttr.ID() {
		err = source.ErrSwapped
	}
	if err != nil {
		closeDir()
		return nil, nil, err
	}
	return dir, closeDir, nil
}
