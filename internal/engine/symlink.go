package engine

import (
	"context"
	"io/fs"

	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// symlink copies a symbolic link as a link.
func (w *worker) symlink(ctx context.Context, d *directory, it item) {
	name := it.name
	target, err := d.src.Readlink(name)
	if err != nil {
		w.fail(d, onSource, name, err)
		return
	}
	var attr vfs.Attr
	if w.Keep.Owner || w.Keep.Group || w.Keep.Times() || w.RemoveSource || it.step != plan.Create {
		if attr, err = d.src.Lstat(name); err != nil {
			w.fail(d, onSource, name, err)
			return
		}
	}
	e := report.Event{Kind: report.Symlink, Name: name, Target: target, Diff: it.diff}
	if it.step != plan.Create {
		if it.there.Mode.Type() == fs.ModeSymlink {
			if old, err := d.dst.Readlink(name); err == nil && old == target {
				w.currentLink(d, e, attr, it.there)
				return
			}
			e.Diff |= report.DiffContents | plan.Diff(attr, it.there, w.Keep, d.tolerance)
		}
		if !w.Keep.Mtime && !w.Compare {
			e.Diff |= report.DiffNow
		}
		e.Kind = report.Replace
	}
	if w.goesFirst(d) {
		if err := w.makeWay(ctx, d, &it); err != nil {
			if err != errDone {
				w.fail(d, onDest, name, err)
			}
			return
		}
	}
	if !w.DryRun {
		w.touch(d)
		if it.step == plan.Create {
			err = d.collision(w.makeLink(d, d.dst, name, name, target, attr))
		} else {
			err = w.replace(ctx, d, &it, func(in vfs.Dir, temp string) error {
				return w.makeLink(d, in, name, temp, target, attr)
			})
		}
		if err != nil {
			w.fail(d, onDest, name, err)
			return
		}
	}
	if it.step == plan.Create {
		w.count.Add(report.LinksMade, 1)
	} else {
		w.count.Add(report.Replaced, 1)
	}
	w.tell(d, e)
	w.removeSource(d, name, attr)
}

// currentLink gives a link whose target is right the attributes that it lacks.
func (w *worker) currentLink(d *directory, e report.Event, attr, there vfs.Attr) {
	if err := w.adjust(d, e, attr, there); err != nil {
		w.fail(d, onDest, e.Name, err)
		return
	}
	w.removeSource(d, e.Name, attr)
}

// makeLink makes a link called made in the directory in, with its attributes, or nothing.
func (w *worker) makeLink(d *directory, in vfs.Dir, name, made, target string, attr vfs.Attr) error {
	if err := in.Symlink(target, made); err != nil {
		return err
	}
	if err := w.dressLink(d, named{in, made}, name, attr); err != nil {
		return both(err, in.Remove(made))
	}
	return nil
}

// dressLink sets the attributes of a new link. Messages say name.
func (w *worker) dressLink(d *directory, link named, name string, attr vfs.Attr) error {
	change := plan.Change{Chtimes: w.Keep.Times()}
	if w.Keep.Owner || w.Keep.Group {
		now, err := link.dir.Lstat(link.name)
		if err != nil {
			return err
		}
		change = plan.Changes(attr, now, w.Keep, plan.Tolerance{})
	}
	return w.set(d, name, link, change, attr)
}
