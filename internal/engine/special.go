package engine

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// special copies a fifo, a socket or a device; a comparison only looks at it.
func (w *worker) special(ctx context.Context, d *directory, t fs.FileMode, it *item) {
	attr, err := w.stat(d, it.name)
	if err == nil && attr.Mode.Type() != t {
		err = errChangedDuringCopy
	}
	if err != nil {
		w.fail(d, onSource, it.name, err)
		return
	}
	if w.joins(ctx, d, it, attr) {
		return
	}
	e := report.Event{Kind: report.Copy, Name: it.name, Type: t, Diff: it.diff}
	if it.there.Mode.Type() == t {
		if plan.Special(attr, it.there) == plan.Current && w.mayStay(it, attr) {
			it.placed, it.stays = true, true
			w.currentNamed(ctx, d, e, attr, it)
			return
		}
		e.Diff |= report.DiffContents
	}
	w.makeNamed(ctx, d, e, attr, it, func(in vfs.Dir, made string) error { return in.Mknod(made, attr.Mode, attr.Rdev) })
}

// cannotMake tells that an entry of this type cannot be made, if err says that it is
// not for this user or this volume.
func (w *worker) cannotMake(d *directory, it *item, t fs.FileMode, err error) bool {
	if !metadata.CannotKeep(err) {
		return false
	}
	if t == fs.ModeSymlink && errors.Is(err, syscall.EINVAL) {
		return false // the volume has links, but does not take this name
	}
	what := report.Specials
	switch {
	case t == fs.ModeSymlink:
		what = report.Symlinks
	case t&fs.ModeDevice != 0:
		what = report.Devices
	}
	w.reportAttrs(d, it.name, &it.flawed, w.attrs.Unkept(what, err))
	return true
}

// needsStat reports whether an entry of the source has to be looked at for more than its type.
func (w *worker) needsStat() bool {
	k := w.Keep
	return k.Owner || k.Group || k.Times() || k.Extended() || k.Perms || k.Chown.SetUID || k.Chown.SetGID
}
