package entry

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/report"
	"psync/internal/vfs"
)

// removeRedundant removes what the destination has under the name of a file because another tree has the desired
// file, and reports whether the file needs no further work. If that cannot be determined, the code that copies the
// file handles it.
func (w *Worker) removeRedundant(ctx context.Context, d *job.Dir, it *item) (done bool) {
	attr, redundant := w.isRedundant(ctx, d, it)
	if !redundant {
		return false
	}
	w.job.Count.Add(report.FilesKept, 1)
	w.job.Count.Add(report.BytesKept, attr.Size)
	if d.Task.Kind == job.Copy {
		w.job.Count.Add(report.BytesSeen, attr.Size)
	}
	err := w.removeEntry(ctx, d, it)
	switch {
	case err == nil, err == errDone:
	case errors.Is(err, vfs.ErrChanged) && skipsNewer(w.job, d, it, attr):
	default:
		w.job.Fail(d, pairs.Dest, it.name, err)
	}
	return true
}

// isRedundant reports whether another tree, which is not the destination itself, has the file with the attributes
// that its copy would get. It also returns the attributes of the source.
func (w *Worker) isRedundant(ctx context.Context, d *job.Dir, it *item) (attr vfs.Attr, redundant bool) {
	src, err := w.job.Run.Open(d, it.name)
	if err != nil {
		return attr, false
	}
	defer vfs.CloseUnwritten(src)
	if attr, err = statOrigin(ctx, w.job, d, src); err != nil {
		return attr, false
	}
	w.job.Attrs.Want(&attr, d.AsParent())
	o, _ := w.job.Attrs.Desired(d.Volumes(), src, attr)
	alt := w.findAlternative(ctx, d, it, src, o)
	if alt.Near.File != nil {
		vfs.CloseUnwritten(alt.Near)
	}
	return attr, alt.Exact != nil && areDistinct(alt.Exact, d.Dst)
}

// areDistinct reports whether two directories are known to be different, rather than one that two paths lead to.
func areDistinct(a, b vfs.Dir) bool {
	if !a.Caps().Has(vfs.HasIdentity) {
		return false
	}
	of, err := a.Lstat(".")
	if err != nil {
		return false
	}
	other, err := b.Lstat(".")
	return err == nil && of.ID() != other.ID()
}

// removeEntry removes what the destination has under the item's name, and reports that as a removal.
func (w *Worker) removeEntry(ctx context.Context, d *job.Dir, it *item) error {
	in, gone := w.job.Run.MirrorDir(d), vfs.Entry{Name: it.name, Type: it.there.Mode.Type()}
	if goesFirst(w.job, d) {
		if err := makeWay(ctx, w.job, d, it); err != nil {
			return err
		}
	}
	if !w.job.Run.DryRun {
		w.job.Remover.Deleting(in, gone)
		e := begin(w.job, d, it, nil)
		e.Only = unchanged(d, it)
		err := place.Remove(ctx, w.job, d, e)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process was faster
		}
		if err != nil {
			return err
		}
	}
	w.job.Remover.Deleted(in, gone)
	return nil
}

// leavesOut reports whether a link or special file that the destination lacks need not be made because another tree
// has it.
func (w *Worker) leavesOut(d *job.Dir, it *item, attr vfs.Attr, target string) bool {
	if len(w.job.Run.Alternatives.Dirs) == 0 || !w.job.Run.Alternatives.Kind.LeavesOut(it.step) {
		return false
	}
	o := desired(w.job, d, it, attr)
	defer o.Close()
	if !place.HasSame(w.job, d.OpenAlternatives(&w.job.Run.Alternatives), d.Volumes(), it.name, attr, target, o) {
		return false
	}
	w.job.Count.Add(report.OthersKept, 1)
	return true
}
