package gnucp

import (
	"context"
	"io/fs"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// enter makes a directory, unless it exists. The caller copies its entries, as child.
func (w *worker) enter(ctx context.Context, it *item) (child *directory, ok bool) {
	earlier, known := w.copies.directory(it.Attr.ID(), it.op.number)
	if known {
		if done, ok := w.copiedBefore(it, earlier); done {
			return nil, ok
		}
	} else if it.top {
		w.copies.addDirectory(it.Attr.ID(), destDir{path: it.Dst.String(), by: it.op.number})
	}
	if !w.enterOnce(ctx, it) {
		if !known && it.top {
			w.copies.forgetDirectory(it.Attr.ID())
		}
		return nil, false
	}
	if it.top && w.listsSources {
		w.record(it)
	}
	if w.OneFileSystem && it.in != nil && it.in.item.Attr.Dev != it.Attr.Dev {
		return nil, w.shared.Entry(&it.Copy)
	}
	return w.newDirectory(it), true
}

// copiedBefore handles a directory that is known already: an operand, or a directory made for an operand. done
// reports whether nothing is left to do, and ok then reports whether that is a success.
func (w *worker) copiedBefore(it *item, earlier destDir) (done, ok bool) {
	at := entry.Place{At: localfs.Cwd, Name: earlier.path}
	switch {
	case entry.SameName(it.Src, at), earlier.made && w.Follow == policy.FollowAll:
		it.op.circular.Store(true)
		return true, it.Out.Refuse("cannot copy a directory, %s, into itself, %s", it.op.src, it.op.dst)
	case entry.SameEntry(it.Dst, at, true):
		it.Out.Warn("warning: source directory %s specified more than once", it.op.src)
		return true, true
	case it.Follow:
		return false, false
	}
	return true, it.Out.Refuse("will not create hard link %s to directory %s", it.Dst, earlier.path)
}

// enterOnce makes a directory, unless it exists.
func (w *worker) enterOnce(ctx context.Context, it *item) bool {
	for d := it.in; d != nil; d = d.parent {
		if d.item.Attr.ID() == it.Attr.ID() {
			return it.Out.Refuse("cannot copy cyclic symbolic link %s", it.Src)
		}
	}
	if !it.New && it.Was != nil {
		if it.top {
			w.merges = true
			w.order(ctx, it)
		}
		return true
	}
	// Entries have to be put into the directory, and they are found by its path. GNU cp gives its owner the
	// rights for that by a second call; a cp that is killed in between leaves a directory that the next one
	// cannot write to.
	const owner = 0o700
	mode := it.Attr.Mode &^ w.Omitted(it.Attr.Mode)
	if err := it.Dst.At.Mkdir(it.Dst.Name, mode|owner); err != nil {
		return it.Out.Fail(err, "cannot create directory %s", it.Dst)
	}
	made, err := it.Dst.At.Stat(it.Dst.Name, false)
	if err != nil {
		return it.Out.Fail(err, "cannot stat %s", it.Dst)
	}
	if made.Mode&owner != owner { // because of the umask
		if err := it.Dst.At.Chmod(it.Dst.Name, made.Mode|owner); err != nil {
			return it.Out.Fail(err, "setting permissions for %s", it.Dst)
		}
	}
	made.Mode &= mode | ^fs.FileMode(owner)
	it.Made, it.New = &made, true
	if it.top {
		it.op.fresh = !w.merges
		w.order(ctx, it)
	}
	first := it.op.inOrder && !it.op.began
	if first {
		it.op.began = true // no other worker is active then
	}
	if it.top || first || w.Follow == policy.FollowAll {
		w.copies.addDirectory(made.ID(), destDir{it.Dst.String(), it.op.number, true})
	}
	w.count.Add(report.DirsMade, 1)
	w.announce(it)
	return w.shared.Label(&it.Copy)
}

// order finds out whether everything has to be done in cp's order. That is so if the destination is in the
// source, because a new copy could then be found as an entry to copy, and if an entry with other names is
// written; see [linkScan].
func (w *worker) order(ctx context.Context, it *item) {
	it.op.inOrder = it.op.inOrder || entry.IsBelow(w.Host, it.Dst.String(), it.Attr.ID()) ||
		!it.New && w.folds(it) || w.hasLinks(ctx, it)
}

// folds reports whether several names in the destination may name the same entry.
func (w *worker) folds(it *item) bool {
	dir, err := w.Host.Open(it.Dst.String(), vfs.OpenOptions{Noatime: true})
	if err != nil {
		return false
	}
	defer dir.Close()
	return w.shared.Volumes.Of(it.Was.Dev, dir.Statfs).Folds
}
