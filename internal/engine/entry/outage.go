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

// mostOutages is how many outages a file may meet while it is copied or compared.
const mostOutages = 5

// metOutage reports whether an error says that a file is to be copied, or compared, from the start.
func metOutage(err error) bool { return errors.As(err, new(*vfs.OutageError)) }

// placeDespiteOutages is place, once more from the start after each outage.
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
	o, _ := w.job.Attrs.Desired(d.Volumes(), src, attr) // what could not be read was reported
	w.job.Attrs.KeepMode(o, it.there)
	again := *it
	if it.step == plan.Create && holds(d.Dst, it.name) {
		// The first attempt left it: a file that is stale cannot be told from others, and so was not removed.
		if there, err := d.Dst.Lstat(it.name); err == nil && there.Mode.IsRegular() {
			again.step, again.there = plan.Replace, there
		}
	}
	partial, err = w.place(ctx, d, &again, place.Source{File: src, Attr: attr}, o)
	it.flawed = it.flawed || again.flawed
	return partial, err
}

// holds reports whether a directory has an entry of exactly this name, and not one that is spelled in another way.
func holds(dir vfs.Dir, name string) (found bool) {
	_ = dir.ReadDir(func(entries []vfs.Entry) error { // if that fails, nothing is replaced
		found = found || slices.ContainsFunc(entries, func(e vfs.Entry) bool { return e.Name == name })
		return nil
	})
	return found
}

// sameContents compares the first size bytes of a file of both sides, once more from the start after each outage. One
// that cannot be read in the destination is to be replaced, and so is one whose counterpart in the source, which had the
// attributes attr, has changed meanwhile; to a comparison that is an error.
func sameContents(ctx context.Context, j *job.Worker, d *job.Dir, name string, attr vfs.Attr, size int64) (same bool, side pairs.Side, err error) {
	for range mostOutages {
		if same, side, err = compareOnce(ctx, j, d, name, attr, size); err == nil || !metOutage(err) {
			break
		}
	}
	return same, side, err
}
