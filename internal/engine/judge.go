package engine

import (
	"context"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// judge reports whether a file is dealt with without copying it. Otherwise it
// completes the differences that it has.
func (w *worker) judge(ctx context.Context, d *directory, it *item) (done bool) {
	p := w.Policy
	exists := it.there.Mode.Type() != plan.Absent
	if !w.Compare && p.MinSize == 0 && !p.LimitSize && !(exists && (p.Sync || p.Update)) {
		return false // the source's attributes do not matter
	}
	attr, err := w.stat(d, it.name)
	if err == nil && !attr.Mode.IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		w.fail(d, onSource, it.name, err)
		return true
	}
	switch {
	case p.Omits(attr.Size), it.there.Mode.IsRegular() && p.Newer(attr, it.there, d.tolerance) && !w.torn(ctx, d, it, attr):
		return true
	case it.diff&report.DiffNew != 0:
		if w.Compare {
			w.tellMissing(d, it, attr)
		}
		return w.Compare
	}
	switch w.settled(d, attr, it.there) {
	case plan.LookInside:
		same, side, err := w.sameContents(ctx, d, it.name, attr.Size)
		if err != nil {
			w.fail(d, side, it.name, err)
			return true
		}
		if !same {
			it.diff |= report.DiffContents
			break
		}
		fallthrough
	case plan.Current:
		w.current(d, it, attr)
		return true
	}
	if w.Compare {
		it.diff |= plan.Diff(attr, it.there, w.Keep, d.tolerance)
		w.tell(d, report.Event{Kind: report.Replace, Name: it.name, Size: attr.Size, Diff: it.diff})
		return true
	}
	return false
}

// torn reports whether a file of the destination is the first part of the source,
// as what a killed process leaves behind is. It is newer, and still nothing is
// lost if it is replaced.
func (w *worker) torn(ctx context.Context, d *directory, it *item, attr vfs.Attr) bool {
	if it.there.Size >= attr.Size {
		return false
	}
	same, _, err := w.sameContents(ctx, d, it.name, it.there.Size)
	return err == nil && same
}

// tellMissing tells a comparison of a file that the destination lacks.
func (w *worker) tellMissing(d *directory, it *item, attr vfs.Attr) {
	kind := report.Copy
	if it.step != plan.Create {
		kind = report.Replace
	}
	w.tell(d, report.Event{Kind: kind, Name: it.name, Size: attr.Size, Diff: it.diff})
}

// current gives a file whose contents are there the attributes that it lacks.
func (w *worker) current(d *directory, it *item, attr vfs.Attr) {
	w.count.Add(report.BytesSeen, attr.Size)
	w.count.Add(report.FilesKept, 1)
	w.count.Add(report.BytesKept, attr.Size)
	if err := w.adjust(d, report.Event{Name: it.name}, attr, it.there); err != nil {
		w.fail(d, onDest, it.name, err)
		return
	}
	w.removeSource(d, it.name, attr)
}

// adjust sets those attributes in which an entry of the destination differs from
// the source, and tells it, by e.
func (w *worker) adjust(d *directory, e report.Event, attr, there vfs.Attr) error {
	if !w.Keep.Modes {
		there.Mode = attr.Mode
	}
	e.Kind, e.Diff = report.SetAttr, plan.Diff(attr, there, w.Keep, d.tolerance)
	if e.Diff == 0 {
		return nil
	}
	if !w.DryRun {
		change := plan.Changes(attr, there, w.Keep, d.tolerance)
		if err := w.set(d, e.Name, named{d.dst, e.Name}, change, attr); err != nil {
			return err
		}
	}
	w.count.Add(report.AttrsSet, 1)
	w.tell(d, e)
	return nil
}

// sameContents compares a file of both sides, whose sizes are equal. One that
// cannot be read in the destination is to be replaced.
func (w *worker) sameContents(ctx context.Context, d *directory, name string, size int64) (same bool, side side, err error) {
	src, err := w.open(d, name)
	if err != nil {
		return false, onSource, err
	}
	defer src.Close()
	dst, err := d.dst.Open(name)
	if err != nil {
		if w.Compare {
			return false, onDest, err
		}
		return false, 0, nil
	}
	defer dst.Close()
	same, err = w.copier.Equal(ctx, src, dst, size)
	if err == nil {
		return same, 0, nil
	}
	side, err = w.blame(ctx, err)
	if side == onDest && !w.Compare && err != errStopped {
		return false, 0, nil
	}
	return same, side, err
}
