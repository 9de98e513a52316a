package gnucp

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// An item is an entry that is copied.
type item struct {
	entry.Copy
	op      *operand
	in      *directory            // nil for an operand
	node    *walk.Node[bothSides] // the directories that it is in
	top     bool                  // it is an operand
	turn    bool                  // all that cp would have done before is done
	again   bool                  // it was looked at before, and had to wait
	regular bool                  // the source seems to be a regular file

	file   vfs.File // the source, if it is open already
	backup string   // what the destination was renamed to

	child *directory // if it is one, with entries to copy
}

// entry copies an entry, but for what is in a directory: that is left to the caller, as it.child.
// It returns false after it has told what went wrong.
func (w *worker) entry(ctx context.Context, it *item) bool {
	defer it.closeFile()
	var err error
	if it.Attr, err = w.examine(it); err != nil {
		return it.Out.Fail(err, "cannot stat %s", it.Src)
	}
	if it.Attr.Mode.IsDir() && !w.Recursive {
		return it.Out.Refuse("-r not specified; omitting directory %s", it.Src)
	}
	if it.top && w.listsSources && !it.again {
		if w.Backup == policy.NoBackups && !it.Attr.Mode.IsDir() && w.sources.Holds(it.Src.String(), it.Attr) {
			it.Out.Warn("warning: source file %s specified more than once", it.Src)
			return true
		}
		w.sources.Add(it.Src.String(), it.Attr)
	}
	if !it.turn && !it.op.fresh && w.WaitsForLinks(&it.Attr, it.Follow) && w.postpone(ctx, it) {
		return true
	}
	it.New = it.Known == entry.Absent
	if !it.New {
		if err := w.look(it); err != nil {
			return it.Out.Fail(err, "cannot stat %s", it.Dst)
		}
		if it.Was != nil && !it.turn && policy.WaitsForOthers(&it.Attr, it.Was, it.Through) && w.postpone(ctx, it) {
			return true
		}
		if done, ok := w.meet(it); done {
			return ok
		}
	}
	if it.top && w.listsSources && w.Backup == policy.NoBackups && !w.throughOwnLink(it) {
		return false
	}
	return w.proceed(ctx, it)
}

// examine returns what the source is like. Where a regular file is all but sure to be copied, it is
// opened for that: what it is like is told then, too, without looking it up by its name. If that
// fails, opening it in its turn will tell.
func (w *worker) examine(it *item) (vfs.Attr, error) {
	if it.regular && it.Known == entry.Absent && !w.HardLink && !w.SymbolicLink {
		if f, err := it.Src.At.Open(it.Src.Name, it.Follow, true); err == nil {
			it.file = f
			if attr, err := f.Stat(); err == nil && attr.Mode.IsRegular() {
				return attr, nil
			}
			it.closeFile()
		}
	}
	attr, err := it.Src.At.Stat(it.Src.Name, it.Follow)
	if at, ok := w.scanned.Load(attr.ID()); ok {
		attr.Atime = at.(time.Time)
	}
	return attr, err
}

// closeFile closes the source if it was opened, and is not in use.
func (it *item) closeFile() {
	if it.file != nil {
		_ = it.file.Close() // nothing was written to it
		it.file = nil
	}
}

// look finds out what is at the destination.
func (w *worker) look(it *item) error {
	follow := w.FollowsDest(it.Attr.Mode)
	if follow && it.Known == entry.Dangling {
		it.New = true
		return nil
	}
	attr, err := it.Dst.At.Stat(it.Dst.Name, false)
	if err == nil && follow && attr.Mode.Type() == fs.ModeSymlink {
		it.Through = true
		attr, err = it.Dst.At.Stat(it.Dst.Name, true)
	}
	switch {
	case err == nil:
		it.Was = &attr
	case errors.Is(err, syscall.ENOENT):
		it.New = true
	case errors.Is(err, syscall.ELOOP) && follow && w.Force:
		// It can be removed.
	default:
		return err
	}
	return nil
}

// throughOwnLink refuses to write through a link that this run has made.
func (w *worker) throughOwnLink(it *item) bool {
	attr, err := it.Dst.At.Stat(it.Dst.Name, false)
	if err == nil && attr.Mode.Type() == fs.ModeSymlink && w.dests.Holds(it.Dst.String(), attr) {
		return it.Out.Refuse("will not copy %s through just-created symlink %s", it.Src, it.Dst)
	}
	return true
}
