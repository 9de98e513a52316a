package gnucp

import (
	"context"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// enter makes a directory, unless it exists. What is in it is left to it.child.
func (w *worker) enter(ctx context.Context, it *item) bool {
	earlier, known := w.copies.directory(it.attr.ID(), it.op.number)
	if known {
		if done, ok := w.meetAgain(it, earlier); done {
			return ok
		}
	} else if it.top {
		w.copies.addDirectory(it.attr.ID(), landed{path: it.dst.String(), by: it.op.number})
	}
	if !w.enterOnce(ctx, it) {
		if !known && it.top {
			w.copies.forgetDirectory(it.attr.ID())
		}
		return false
	}
	if it.top && w.listsSources {
		w.record(it)
	}
	if w.OneFileSystem && it.in != nil && it.in.item.attr.Dev != it.attr.Dev {
		return w.finish(it)
	}
	it.child = &directory{item: it, parent: it.in, dev: it.now().Dev}
	return true
}

// now returns what the destination, a directory, is like.
func (it *item) now() *vfs.Attr {
	if it.made != nil {
		return it.made
	}
	return it.was
}

// meetAgain deals with a directory that is known: an operand, or what was made for one. It
// reports whether that is all to be done, and if so, whether all is well.
func (w *worker) meetAgain(it *item, earlier landed) (done, ok bool) {
	at := entry.Place{At: localfs.Cwd, Name: earlier.path}
	switch {
	case entry.SameName(it.src, at), earlier.made && w.Follow == policy.FollowAll:
		it.op.circular.Store(true)
		return true, it.out.Refuse("cannot copy a directory, %s, into itself, %s", it.op.src, it.op.dst)
	case entry.SameEntry(it.dst, at, true):
		it.out.Warn("warning: source directory %s specified more than once", it.op.src)
		return true, true
	case it.follow:
		return false, false
	}
	return true, it.out.Refuse("will not create hard link %s to directory %s", it.dst, earlier.path)
}

// enterOnce makes a directory, unless it exists.
func (w *worker) enterOnce(ctx context.Context, it *item) bool {
	for d := it.in; d != nil; d = d.parent {
		if d.item.attr.ID() == it.attr.ID() {
			return it.out.Refuse("cannot copy cyclic symbolic link %s", it.src)
		}
	}
	if !it.isNew && it.was != nil {
		if it.top {
			w.merges = true
			w.order(ctx, it)
		}
		return true
	}
	if err := it.dst.At.Mkdir(it.dst.Name, it.attr.Mode&^w.Omitted(it.attr.Mode)); err != nil {
		return it.out.Fail(err, "cannot create directory %s", it.dst)
	}
	made, err := it.dst.At.Stat(it.dst.Name, false)
	if err != nil {
		return it.out.Fail(err, "cannot stat %s", it.dst)
	}
	it.made, it.isNew = &made, true
	if made.Mode&0o700 != 0o700 {
		// Something has to be put into it, and is found by its path.
		if err := it.dst.At.Chmod(it.dst.Name, made.Mode|0o700); err != nil {
			return it.out.Fail(err, "setting permissions for %s", it.dst)
		}
	}
	if it.top {
		it.op.fresh = !w.merges
		w.order(ctx, it)
	}
	first := it.op.inOrder && !it.op.began
	if first {
		it.op.began = true // nobody else is at work then
	}
	if it.top || first || w.Follow == policy.FollowAll {
		w.copies.addDirectory(made.ID(), landed{it.dst.String(), it.op.number, true})
	}
	w.count.Add(report.DirsMade, 1)
	w.announce(it)
	return w.label(it)
}

// order finds out whether everything has to be done in cp's order: the destination is in
// the source, so that what was just copied could be met as something to copy; or something is written
// that has other names, see [linkScan].
func (w *worker) order(ctx context.Context, it *item) {
	it.op.inOrder = it.op.inOrder || entry.IsBelow(it.dst.String(), it.attr.ID()) ||
		!it.isNew && w.folds(it) || w.hasLinks(ctx, it)
}

// folds reports whether several names in the destination may be one.
func (w *worker) folds(it *item) bool {
	at, err := localfs.Cwd.Peek(it.dst.String())
	if err != nil {
		return false
	}
	defer at.Close()
	return w.devices.of(it.was.Dev, at).Folds
}
