package gnucp

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/vfs"
)

// knowledge is what is known of a destination before one looks.
type knowledge int8

const (
	unknown  knowledge = iota
	dangling           // it does not exist, but as a link that leads nowhere
	absent
)

// An item is an entry that is copied.
type item struct {
	op       *operand
	in       *directory // nil for an operand
	top      bool       // it is an operand
	turn     bool       // all that cp would have done before is done
	again    bool       // it was looked at before, and had to wait
	src, dst entry.Place
	follow   bool // links of the source
	regular  bool // the source seems to be a regular file
	known    knowledge
	out      *output.Segment

	file    vfs.File  // the source, if it is open already
	attr    vfs.Attr  // of the source
	was     *vfs.Attr // what is at the destination; nil if nothing is
	link    bool      // was is what a link at the destination leads to
	isNew   bool      // the destination has to be made
	temp    string    // name that the destination has until it is whole, if another
	made    *vfs.Attr // what a directory is like after it was made
	backup  string    // what the destination was renamed to
	claimed *copied   // to be settled

	child *directory // if it is one, with entries to copy
}

// entry copies an entry, but for what is in a directory: that is left to the caller, as it.child.
// It returns false after it has told what went wrong.
func (w *worker) entry(ctx context.Context, it *item) bool {
	defer it.closeFile()
	var err error
	if it.attr, err = w.examine(it); err != nil {
		return it.out.Fail(err, "cannot stat %s", it.src)
	}
	if it.attr.Mode.IsDir() && !w.Recursive {
		return it.out.Refuse("-r not specified; omitting directory %s", it.src)
	}
	if it.top && w.listsSources && !it.again {
		if w.Backup == policy.NoBackups && !it.attr.Mode.IsDir() && w.sources.Holds(it.src.String(), it.attr) {
			it.out.Warn("warning: source file %s specified more than once", it.src)
			return true
		}
		w.sources.Add(it.src.String(), it.attr)
	}
	if !it.turn && !it.op.fresh && w.WaitsForLinks(&it.attr, it.follow) && w.postpone(ctx, it) {
		return true
	}
	it.isNew = it.known == absent
	if !it.isNew {
		if err := w.look(it); err != nil {
			return it.out.Fail(err, "cannot stat %s", it.dst)
		}
		if it.was != nil && !it.turn && policy.WaitsForOthers(&it.attr, it.was, it.link) && w.postpone(ctx, it) {
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
	if it.regular && it.known == absent && !w.HardLink && !w.SymbolicLink {
		if f, err := it.src.At.Open(it.src.Name, it.follow, true); err == nil {
			it.file = f
			if attr, err := f.Stat(); err == nil && attr.Mode.IsRegular() {
				return attr, nil
			}
			it.closeFile()
		}
	}
	attr, err := it.src.At.Stat(it.src.Name, it.follow)
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
	follow := w.FollowsDest(it.attr.Mode)
	if follow && it.known == dangling {
		it.isNew = true
		return nil
	}
	attr, err := it.dst.At.Stat(it.dst.Name, false)
	if err == nil && follow && attr.Mode.Type() == fs.ModeSymlink {
		it.link = true
		attr, err = it.dst.At.Stat(it.dst.Name, true)
	}
	switch {
	case err == nil:
		it.was = &attr
	case errors.Is(err, syscall.ENOENT):
		it.isNew = true
	case errors.Is(err, syscall.ELOOP) && follow && w.Force:
		// It can be removed.
	default:
		return err
	}
	return nil
}

// throughOwnLink refuses to write through a link that this run has made.
func (w *worker) throughOwnLink(it *item) bool {
	attr, err := it.dst.At.Stat(it.dst.Name, false)
	if err == nil && attr.Mode.Type() == fs.ModeSymlink && w.dests.Holds(it.dst.String(), attr) {
		return it.out.Refuse("will not copy %s through just-created symlink %s", it.src, it.dst)
	}
	return true
}
