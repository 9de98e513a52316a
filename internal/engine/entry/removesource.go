package entry

import (
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// removeSource removes an entry of the source that the destination has now, if
// that is wanted, unless it is not the same any more.
func (w *Worker) removeSource(d *Parent, it *item, was vfs.Attr) {
	if !w.RemoveSource || w.DryRun || it.flawed {
		return
	}
	if w.Fsync {
		w.removeWhenSynced(&d.Dir, it.name, was)
		return
	}
	w.removeUnchanged(&d.Dir, it.name, was)
}

// removeUnchanged removes an entry of the source unless it is not what it was.
func (w *Worker) removeUnchanged(d *job.Dir, name string, was vfs.Attr) {
	var now vfs.Attr
	var err error
	if was.Mode.Type() == fs.ModeSymlink {
		now, err = d.Src.Lstat(name)
	} else {
		now, err = w.Stat(d, name)
	}
	if err == nil && !plan.IsAsCopied(was, now) {
		err = errChangedDuringCopy
	}
	removed := report.Event{Name: name, Type: was.Mode.Type(), Size: was.Size}
	if err == nil {
		if w.Announced {
			removed.Kind = report.RemovingSource
			w.Sink.Event(w.Event(d, pairs.Source, removed))
		}
		err = d.Src.Remove(name)
	}
	switch {
	case err != nil:
		w.Fail(d, pairs.Source, name, err)
	case !w.Unlisted:
		removed.Kind = report.RemovedSource
		w.Sink.Event(w.Event(d, pairs.Source, removed))
	}
}
