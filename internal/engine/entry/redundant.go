package entry

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/engine/job"
	"psync/internal/engine/mirror"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/report"
	"psync/internal/vfs"
)

// removeRedundant removes what the destination has under the name of a file because another tree has the desired
// file, and reports whether the file needs no further work. If that cannot be determined, the code that copies the
// file handles it.
func removeRedundant(ctx context.Context, j *job.Worker, d *job.Dir, it *item) (done bool) {
	attr, redundant := isRedundant(ctx, j, d, it)
	if !redundant {
		return false
	}
	j.Count.Add(report.FilesKept, 1)
	j.Count.Add(report.BytesKept, attr.Size)
	if d.Task.Kind == job.Copy {
		j.Count.Add(report.BytesSeen, attr.Size)
	}
	err := removeEntry(ctx, j, d, it)
	switch {
	case err == nil, err == errDone:
	case errors.Is(err, vfs.ErrChanged) && skipsNewer(j, d, it, attr):
	default:
		j.Fail(d, pairs.Dest, it.name, err)
	}
	return true
}

// isRedundant reports whether another tree, which is not the destination itself, has the file with the attributes
// that its copy would get. It also returns the attributes of the source.
func isRedundant(ctx context.Context, j *job.Worker, d *job.Dir, it *item) (attr vfs.Attr, redundant bool) {
	src, err := j.Run.Open(d, it.name)
	if err != nil {
		return attr, false
	}
	defer vfs.CloseUnwritten(src)
	if attr, err = statOrigin(ctx, j, d, src); err != nil {
		return attr, false
	}
	o, _ := j.Attrs.Desired(d.Volumes(), src, attr)
	alt := findAlternative(ctx, j, d, it, src, o)
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
	of, err := vfs.Lstat(a, ".")
	if err != nil {
		return false
	}
	other, err := vfs.Lstat(b, ".")
	return err == nil && of.ID() != other.ID()
}

// removeEntry removes what the destination has under the item's name, and reports that as a removal.
func removeEntry(ctx context.Context, j *job.Worker, d *job.Dir, it *item) error {
	gone := vfs.Entry{Name: it.name, Type: it.there.Mode.Type()}
	if err := makeWayFirst(ctx, j, d, it); err != nil {
		return err
	}
	if !j.Run.Job.DryRun {
		mirror.Deleting(j, d, gone)
		e := begin(j, d, it, nil)
		e.Only = unchanged(d, it)
		err := place.Remove(ctx, j, d, e)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // another process was faster
		}
		if err != nil {
			return err
		}
	}
	mirror.Deleted(j, d, gone)
	return nil
}

// leavesOut reports whether a link or special file that the destination lacks need not be made because another tree
// has it.
func leavesOut(j *job.Worker, d *job.Dir, it *item, attr vfs.Attr, target string) bool {
	if len(j.Run.Job.Alternatives.Dirs) == 0 || !j.Run.Job.Alternatives.Kind.LeavesOut(it.step) {
		return false
	}
	o := desired(j, d, it, attr)
	defer o.Close()
	if place.FindSpecial(j, d, it.name, attr, target, o).Exact == nil {
		return false
	}
	j.Count.Add(report.OthersKept, 1)
	reportCurrent(j, d, it, report.Event{Name: it.name, Type: attr.Mode.Type(), Target: target})
	return true
}
