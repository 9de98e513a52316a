package engine

import (
	"io/fs"

	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// removeSource removes an entry of the source that the destination has now, if
// that is wanted, unless it is not the same any more.
func (w *worker) removeSource(d *directory, it *item, was vfs.Attr) {
	if !w.RemoveSource || w.DryRun || it.flawed {
		return
	}
	if w.Fsync {
		w.removeWhenSynced(d, it.name, was)
		return
	}
	w.removeUnchanged(d, it.name, was)
}

// removeUnchanged removes an entry of the source unless it is not what it was.
func (w *worker) removeUnchanged(d *directory, name string, was vfs.Attr) {
	var now vfs.Attr
	var err error
	if was.Mode.Type() == fs.ModeSymlink {
		now, err = d.Src.Lstat(name)
	} else {
		now, err = w.stat(d, name)
	}
	if err == nil && !plan.IsAsCopied(was, now) {
		err = errChangedDuringCopy
	}
	if err == nil {
		err = d.Src.Remove(name)
	}
	if err != nil {
		w.fail(d, pairs.Source, name, err)
	}
}
