package engine

import (
	"psync/internal/vfs"
)

// removeSource removes an entry of the source that the destination has now, if
// that is wanted, unless it is not the same any more.
func (w *worker) removeSource(d *directory, it *item, was vfs.Attr) {
	if !w.RemoveSource || w.DryRun || it.flawed {
		return
	}
	if w.Fsync {
		w.removeWhenSynced(d.Dir, it.name, was)
		return
	}
	w.removeUnchanged(d.Dir, it.name, was)
}
