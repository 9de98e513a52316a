package entry

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/source"
	"psync/internal/report"
	"psync/internal/vfs"
)

// removeSource removes an entry of the source that the destination now has, if requested and if it is still the same.
// It removes it at once or later: with Fsync, when its copy is on disk, and if the entry may have other names that
// are copied, when all of them are.
func (w *Worker) removeSource(d *job.Dir, it *item, was vfs.Attr) {
	if !w.job.Run.Job.RemoveSource || w.job.Run.Job.DryRun || it.flawed {
		return
	}
	if !w.job.Run.Job.Fsync && !w.job.Run.Job.RemovesSourceLast() {
		w.removeUnchanged(d, d.Src, it.name, was)
		return
	}
	own, err := attrOfName(w.job, d, it, was)
	if err != nil {
		w.job.Fail(d, pairs.Source, it.name, err)
		return
	}
	w.removeLater(d, it.name, own)
}

// attrOfName returns the attributes of an entry that was copied with the attributes was. If the target of a link was
// copied, they are those of the link.
func attrOfName(j *job.Worker, d *job.Dir, it *item, was vfs.Attr) (vfs.Attr, error) {
	if was.Mode.Type() == fs.ModeSymlink || !j.Run.Job.Links.Copy && !j.Run.Job.Links.CopyUnsafe {
		return was, nil
	}
	own, err := source.Stat(d.Src, it.listed(), false)
	if err != nil || own.Mode.Type() != fs.ModeSymlink {
		return was, err
	}
	now, err := j.Stat(d, vfs.Entry{Name: it.name}) // after the link was looked at: it leads there while it stays the same
	if err == nil && !vfs.PremiseOf(was).Holds(now) {
		err = errChangedDuringCopy
	}
	return own, err
}

// removeUnchanged removes an entry of src, the source of d, unless it has changed. An entry that no longer exists needs
// no action: it may have been reached another way.
func (w *Worker) removeUnchanged(d *job.Dir, src vfs.Dir, name string, was vfs.Attr) {
	removed := report.Event{Name: name, Type: was.Mode.Type(), Size: was.Size}
	if w.job.Run.Reporting.Announced {
		removed.Kind = report.RemovingSource
		w.job.Run.Job.Sink.Event(w.job.Run.Event(d, pairs.Source, removed))
	}
	premise := vfs.PremiseOf(was)
	if was.Nlink > 1 {
		w.shared.removals.linked.Add(was.ID())
	}
	err := src.Remove(name, &premise)
	if errors.Is(err, vfs.ErrChanged) && w.shared.removals.linked.Has(was.ID()) {
		premise.Ctime = 0
		err = src.Remove(name, &premise)
	}
	if errors.Is(err, vfs.ErrChanged) {
		err = errChangedDuringCopy
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		w.job.Fail(d, pairs.Source, name, err)
	case !w.job.Run.Reporting.Unlisted:
		removed.Kind = report.RemovedSource
		w.job.Run.Job.Sink.Event(w.job.Run.Event(d, pairs.Source, removed))
	}
}

// RemoveCopied removes the entries of a list from a directory of the source, until ctx is done. It reports whether it
// has dealt with all of them, and none was kept.
func (w *Worker) RemoveCopied(ctx context.Context, l *CopiedList) (done bool) {
	d := l.Dir // others may have it open
	if d == nil {
		d = w.job.Run.NewDir(job.Task{Source: l.At.Source, Path: l.At.Path})
	}
	src, closeDir, err := w.job.Run.OpenToRemove(l.At)
	gone := errors.Is(err, fs.ErrNotExist)
	if err == nil {
		defer closeDir()
	}
	w.job.Current.Set(d.Position(""))
	done = true
	for name, was := range l.all() {
		switch {
		case ctx.Err() != nil:
			return false
		case gone:
		case err != nil:
			w.job.Fail(d, pairs.Source, name, err)
		case l.Keep.Has(was):
			done = false
		default:
			w.removeUnchanged(d, src, name, was)
		}
	}
	return done
}
