package engine

import (
	"context"
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// symlink copies a symbolic link as a link.
func (w *worker) symlink(ctx context.Context, d *directory, it *item) {
	name := it.name
	attr := vfs.Attr{Mode: fs.ModeSymlink | 0o777}
	if w.Policy.NeedsSource(fs.ModeSymlink, it.there.Mode, w.needsStat() || w.HardLinks || w.RemoveSource) {
		var err error
		if attr, err = d.src.Lstat(name); err != nil {
			w.fail(d, onSource, name, err)
			return
		}
		w.attrs.Want(&attr, d.asParent())
		if w.joins(ctx, d, it, attr) {
			return
		}
	}
	target, err := d.src.Readlink(name)
	if err != nil {
		w.fail(d, onSource, name, err)
		return
	}
	e := report.Event{Kind: report.Symlink, Name: name, Target: target, Diff: it.diff}
	if plan.Special(attr, it.there) == plan.CompareContents {
		if old, err := d.dst.Readlink(name); err == nil && old == target && w.mayStay(it, attr) {
			it.placed, it.stays = true, true
			w.currentNamed(ctx, d, e, attr, it)
			return
		}
		e.Diff |= report.DiffContents
	}
	w.makeNamed(ctx, d, e, attr, it, func(in vfs.Dir, made string) error { return in.Symlink(target, made) })
}

// makeNamed makes an entry that is neither a file nor a directory by calling create, gives it the
// desired attributes, renames it to its final name, and reports it as e.
func (w *worker) makeNamed(ctx context.Context, d *directory, e report.Event, attr vfs.Attr, it *item, create func(in vfs.Dir, made string) error) {
	o := w.desired(d, it, attr)
	defer o.Close()
	if it.step != plan.Create {
		if it.there.Mode.Type() == attr.Mode.Type() {
			e.Diff |= w.differences(d, it, o)
		}
		if !w.Keep.Mtime && !w.Compare {
			e.Diff |= report.DiffNow
		}
		e.Kind = report.Replace
	}
	if w.goesFirst(d) {
		if err := w.makeWay(ctx, d, it); err != nil {
			if err != errDone {
				w.fail(d, onDest, it.name, err)
			}
			return
		}
	}
	if !w.DryRun {
		if err := w.placeNamed(ctx, d, it, o, create); err != nil {
			if err != errDone {
				w.fail(d, onDest, it.name, err)
			}
			return
		}
	}
	it.placed = true
	switch {
	case it.step != plan.Create:
		w.count.Add(report.Replaced, 1)
	case attr.Mode.Type() == fs.ModeSymlink:
		w.count.Add(report.LinksMade, 1)
	default:
		w.count.Add(report.SpecialsMade, 1)
	}
	w.tell(d, e)
	w.removeSource(d, it, attr)
}

// placeNamed makes an entry in its place, or nothing.
func (w *worker) placeNamed(ctx context.Context, d *directory, it *item, o *attrs.Desired, create func(in vfs.Dir, made string) error) (err error) {
	w.touch(d)
	var rest attrs.Rest
	withAttrs := func(in vfs.Dir, made string) error {
		if err := create(in, made); err != nil {
			if w.cannotMake(d, it, o.Want.Mode.Type(), err) {
				return errDone
			}
			return err
		}
		var notes attrs.Notes
		var err error
		rest, notes, err = w.attrs.SetNew(d.volumes(), d.asParent(), metadata.Entry{Dir: in, Name: made}, o)
		w.reportAttrs(d, it.name, &it.flawed, notes)
		if err != nil && made != it.name {
			return both(err, w.removeTemporary(d, in, made))
		}
		return err
	}
	if w.Policy.Way(it.step, o.Want.Mode, it.there.Mode, false) == plan.Direct {
		err = d.collision(withAttrs(d.dst, it.name))
	} else {
		err = w.replace(ctx, d, it, withAttrs)
	}
	if err != nil {
		return err
	}
	return w.finishNamed(d, it, o, &rest)
}

// currentNamed gives an entry that is right the attributes that it lacks.
func (w *worker) currentNamed(ctx context.Context, d *directory, e report.Event, attr vfs.Attr, it *item) {
	if err := w.adjust(ctx, d, e, attr, it); err != nil {
		w.fail(d, onDest, e.Name, err)
		return
	}
	w.removeSource(d, it, attr)
}
