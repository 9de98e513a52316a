package engine

import (
	"context"
	"io/fs"

	"psync/internal/engine/pairs"
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
		if attr, err = d.Src.Lstat(name); err != nil {
			w.fail(d, pairs.Source, name, err)
			return
		}
		w.attrs.Want(&attr, d.asParent())
		if w.joins(ctx, d, it, attr) {
			return
		}
	}
	target, err := d.Src.Readlink(name)
	if err != nil {
		w.fail(d, pairs.Source, name, err)
		return
	}
	e := report.Event{Kind: report.Symlink, Name: name, Target: target, Diff: it.diff}
	if plan.Special(attr, it.there) == plan.CompareContents {
		if old, err := d.Dst.Readlink(name); err == nil && old == target && w.mayStay(it, attr) {
			it.placed, it.stays = true, true
			w.currentNamed(ctx, d, e, attr, it)
			return
		}
		e.Diff |= report.DiffContents
	}
	w.makeSpecial(ctx, d, e, attr, it)
}

// currentNamed gives an entry that is right the attributes that it lacks.
func (w *worker) currentNamed(ctx context.Context, d *directory, e report.Event, attr vfs.Attr, it *item) {
	if err := w.adjust(ctx, d, e, attr, it); err != nil {
		w.fail(d, pairs.Dest, e.Name, err)
		return
	}
	w.removeSource(d, it, attr)
}
