package engine

import (
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// symlink copies a symbolic link as a link.
func (w *worker) symlink(d *directory, name string, step plan.Step) {
	target, err := d.src.Readlink(name)
	if err != nil {
		w.fail(d, onSource, name, err)
		return
	}
	var attr vfs.Attr
	if w.Keep.Owner || w.Keep.Group || w.Keep.Times() {
		if attr, err = d.src.Lstat(name); err != nil {
			w.fail(d, onSource, name, err)
			return
		}
	}
	e := report.Event{Kind: report.Symlink, Name: name, Target: target}
	if step != plan.Create {
		if old, err := d.dst.Readlink(name); err == nil && old == target {
			if err := w.dressLink(d, name, name, attr); err != nil {
				w.fail(d, onDest, name, err)
			}
			return
		}
		e.Kind = report.Replace
	}
	if !w.DryRun {
		if step == plan.Create {
			err = d.collision(w.makeLink(d, name, name, target, attr))
		} else {
			err = w.replace(d, name, step, func(temp string) error { return w.makeLink(d, name, temp, target, attr) })
		}
		if err != nil {
			w.fail(d, onDest, name, err)
			return
		}
	}
	if step == plan.Create {
		w.count.Add(report.LinksMade, 1)
	} else {
		w.count.Add(report.Replaced, 1)
	}
	w.tell(d, e)
}

// makeLink makes a link called made with its attributes, or nothing.
func (w *worker) makeLink(d *directory, name, made, target string, attr vfs.Attr) error {
	if err := d.dst.Symlink(target, made); err != nil {
		return err
	}
	if err := w.dressLink(d, name, made, attr); err != nil {
		return both(err, d.dst.Remove(made))
	}
	return nil
}

// dressLink sets the attributes of the link called made. Messages say name.
func (w *worker) dressLink(d *directory, name, made string, attr vfs.Attr) error {
	if w.DryRun {
		return nil
	}
	change := plan.Change{Chtimes: w.Keep.Times()}
	if w.Keep.Owner || w.Keep.Group {
		now, err := d.dst.Lstat(made)
		if err != nil {
			return err
		}
		change = plan.Changes(attr, now, w.Keep)
	}
	return w.set(d, name, named{d.dst, made}, change, attr)
}
