package engine

import (
	"context"
	"errors"

	"psync/internal/content"
	"psync/internal/plan"
	"psync/internal/queue"
	"psync/internal/report"
	"psync/internal/vfs"
)

// errDone says that nothing is left to do for an entry.
var errDone = errors.New("done")

// file copies a regular file, unless the policy says that it needs not be.
func (w *worker) file(ctx context.Context, d *directory, it item) {
	if current := w.judge(ctx, d, &it); current {
		return
	}
	size, side, err := w.transfer(ctx, d, &it)
	if err == errDone {
		return
	}
	if err != nil && err != errUnsteady {
		w.fail(d, side, it.name, err)
		return
	}
	kind := report.Copy
	if it.step == plan.Create {
		w.count.Add(report.FilesMade, 1)
	} else {
		kind = report.Replace
		w.count.Add(report.Replaced, 1)
	}
	w.count.Add(report.FilesCopied, 1)
	w.tell(d, report.Event{Kind: kind, Name: it.name, Size: size, Diff: it.diff})
	if err != nil {
		w.fail(d, side, it.name, err)
	}
}

// blame finds out which side an error of a content.Copier is about.
func (w *worker) blame(ctx context.Context, err error) (side, error) {
	if ctx.Err() != nil && err == context.Cause(ctx) {
		return onSource, errStopped
	}
	var read *content.ReadError
	if errors.As(err, &read) {
		if err == read {
			err = read.Err // or else it tells what was left behind as well
		}
		return onSource, err
	}
	return onDest, err
}

// transfer copies contents and attributes, and returns the size of the source. A
// dry run opens the source, too: only so it is found out what cannot be read.
func (w *worker) transfer(ctx context.Context, d *directory, it *item) (size int64, side side, err error) {
	src, err := w.open(d, it.name)
	if err != nil {
		return 0, onSource, err
	}
	defer src.Close()
	w.inHand = 0
	defer func() {
		if err != nil && err != errUnsteady {
			w.count.Add(report.BytesCopied, -w.inHand)
		}
	}()
	attr, err := src.Stat()
	if err == nil && !attr.Mode.IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return 0, onSource, err
	}
	w.meet(d, it, attr)
	alt := w.findAlternative(ctx, d, it, src, attr)
	from := origin{src, attr}
	if alt.near.File != nil {
		defer alt.near.Close()
		from = alt.near
	}
	if w.goesFirst(d) {
		err = w.makeWay(ctx, d, it)
	}
	if err == nil && alt.exact != nil {
		var done bool
		if done, err = w.take(ctx, d, it, alt, attr); done {
			err = errDone
		}
	}
	if err != nil {
		return 0, onDest, err
	}
	if w.DryRun {
		w.count.Add(report.BytesCopied, attr.Size)
		return attr.Size, 0, nil
	}
	w.unsteady = false
	side, err = w.blame(ctx, w.place(ctx, d, it, from, attr))
	if err != nil {
		return attr.Size, side, err
	}
	if w.unsteady {
		return attr.Size, onSource, errUnsteady
	}
	w.removeSource(d, it.name, attr)
	return attr.Size, 0, nil
}

// meet counts a file that is to be copied, and completes the differences that it has.
func (w *worker) meet(d *directory, it *item, attr vfs.Attr) {
	if d.task.Kind == queue.Copy {
		w.count.Add(report.BytesSeen, attr.Size)
	}
	if it.diff&report.DiffNew == 0 {
		it.diff |= plan.Diff(attr, it.there, w.Keep, d.tolerance)
	}
	if !w.Keep.Mtime {
		it.diff |= report.DiffNow
	}
}

// An origin is what the contents of a file are taken from, and what its
// attributes were when it was opened.
type origin struct {
	vfs.File // to be handed on as such: abilities do not show through an origin
	attr     vfs.Attr
}

// place puts the contents of from under the name of it.
func (w *worker) place(ctx context.Context, d *directory, it *item, from origin, attr vfs.Attr) error {
	w.touch(d)
	switch {
	case it.step == plan.Replace && w.InPlace && it.there.Mode.IsRegular():
		return w.rewrite(ctx, d, from, attr, it.name)
	case it.step == plan.Create && !w.hidesUnfinished():
		return d.collision(w.write(ctx, d, d.dst, from, attr, it.name, it.name))
	}
	return w.replace(ctx, d, it, func(in vfs.Dir, temp string) error {
		return w.write(ctx, d, in, from, attr, it.name, temp)
	})
}

// hidesUnfinished reports whether files under new names, too, are written under
// temporary ones: where the user wants them elsewhere, and where later runs of
// the same policy would take for current what a killed process leaves behind.
func (w *worker) hidesUnfinished() bool {
	return w.TempDir != nil || w.Policy.Update || w.Policy.IgnoreExisting || w.Policy.SizeOnly
}
