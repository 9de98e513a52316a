package entry

import (
	"context"
	"errors"
	"slices"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/engine/place"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// mostOutages is how many outages may occur while a file is copied or compared.
const mostOutages = 5

// metOutage reports whether an error means that a file must be copied or compared again from the start.
func metOutage(err error) bool { return errors.As(err, new(*vfs.OutageError)) }

// placeDespiteOutages is place, but starts again after each outage.
func (w *Worker) placeDespiteOutages(ctx context.Context, d *job.Dir, it *item, from place.Source, o *attrs.Desired) (partial bool, err error) {
	partial, err = w.place(ctx, d, it, from, o)
	for n := 0; n < mostOutages && err != nil && metOutage(err); n++ {
		partial, err = w.placeAgain(ctx, d, it)
	}
	return partial, err
}

// placeAgain puts the contents of a file under the item's name after an attempt that may have left some of it there.
func (w *Worker) placeAgain(ctx context.Context, d *job.Dir, it *item) (partial bool, err error) {
	src, err := w.job.Open(d, it.name)
	if err != nil {
		return false, &content.ReadError{Err: err}
	}
	defer vfs.CloseUnwritten(src)
	attr, err := statOrigin(ctx, w.job, d, src)
	if err != nil {
		return false, &content.ReadError{Err: err}
	}
	w.job.Attrs.Want(&attr, d.AsParent())
	o, _ := w.job.Attrs.Desired(d.Volumes(), src, attr) // failures to read were already reported
	w.job.Attrs.KeepMode(o, it.there)
	again := *it
	if it.step == plan.Create && holds(d.Dst, it.name) {
		// The first attempt left it: a stale file cannot be distinguished from others, so it was not removed.
		if there, err := d.Dst.Lstat(it.name); err == nil && there.Mode.IsRegular() {
			again.step, again.there = plan.Replace, there
		}
	}
	partial, err = w.place(ctx, d, &again, place.Source{File: src, Attr: attr}, o)
	it.flawed = it.flawed || again.flawed
	return partial, err
}

// holds reports whether a directory has an entry of exactly this name, rather than one with another spelling.
func holds(dir vfs.Dir, name string) (found bool) {
	_ = dir.ReadDir(func(entries []vfs.Entry) error { // if that fails, nothing is replaced
		found = found || slices.ContainsFunc(entries, func(e vfs.Entry) bool { return e.Name == name })
		return nil
	})
	return found
}

// sameContents compares the first size bytes of a file on both sides, starting again after each outage. A file that
// cannot be read in the destination counts as different, so it is replaced, and so does one whose counterpart in the
// source, which had the attributes attr, changed during the comparison. In a comparison of trees, both are errors.
func sameContents(ctx context.Context, j *job.Worker, d *job.Dir, name string, attr vfs.Attr, size int64) (same bool, side pairs.Side, err error) {
	for range mostOutages {
		if same, side, err = compareOnce(ctx, j, d, name, attr, size); err == nil || !metOutage(err) {
			break
		}
	}
	return same, side, err
}
