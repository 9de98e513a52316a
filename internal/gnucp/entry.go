package gnucp

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/policy"
	"psync/internal/output"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// An item is an entry that is copied.
type item struct {
	entry.Copy
	op      *operand
	in      *directory            // nil for an operand
	node    *walk.Node[bothSides] // the directories that contain it
	top     bool                  // the item is an operand
	turn    bool                  // everything that cp would have done before is done
	again   bool                  // the item was examined before and had to wait
	regular bool                  // the source seems to be a regular file

	file   vfs.File // the source, if it is already open
	backup string   // the name that the destination was renamed to
}

// copyItem copies an entry. The entries of a directory are left to the caller, as child. On failure, copyItem
// reports the error and returns false.
func (w *worker) copyItem(ctx context.Context, it *item) (child *directory, ok bool) {
	defer it.closeFile()
	var err error
	if it.Attr, err = w.statSource(it); err != nil {
		return nil, it.Out.Fail(err, "cannot stat %s", it.Src)
	}
	if it.Attr.Mode.IsDir() && !w.Recursive {
		return nil, it.Out.Refuse("-r not specified; omitting directory %s", it.Src)
	}
	if it.top && w.listsSources && !it.again {
		if w.Backup == policy.NoBackups && !it.Attr.Mode.IsDir() && w.sources.Holds(it.Src.String(), it.Attr) {
			it.Out.Warn("warning: source file %s specified more than once", it.Src)
			return nil, true
		}
		w.sources.Add(it.Src.String(), it.Attr)
	}
	if !it.turn && !it.op.fresh && w.WaitsForLinks(&it.Attr, it.Follow) && w.awaitTurn(ctx, it) {
		return nil, true
	}
	it.New = it.DestKnown == entry.DestAbsent
	if !it.New {
		if err := w.statDest(it); err != nil {
			return nil, it.Out.Fail(err, "cannot stat %s", it.Dst)
		}
		if it.Was != nil && !it.turn && policy.WaitsForOthers(&it.Attr, it.Was, it.Through) && w.awaitTurn(ctx, it) {
			return nil, true
		}
		if done, ok := w.overwrite(it); done {
			return nil, ok
		}
	}
	if it.top && w.listsSources && w.Backup == policy.NoBackups && !w.throughOwnLink(it) {
		return nil, false
	}
	return w.makeCopy(ctx, it)
}

// copyWhereItIs calls copyItem while the directories that contain the item are open.
func (w *worker) copyWhereItIs(ctx context.Context, it *item) (child *directory, ok bool) {
	ok = w.inDirectory(it, func() bool {
		child, ok = w.copyItem(ctx, it)
		return ok
	})
	return child, ok
}

// statSource returns the attributes of the source. If the source seems to be a regular file that will almost
// certainly be copied, statSource opens the file for the copy, so that fstat(2) returns its attributes without
// another lookup by name. If the open fails here, the later open reports the error.
func (w *worker) statSource(it *item) (vfs.Attr, error) {
	if it.regular && it.DestKnown == entry.DestAbsent && !w.HardLink && !w.SymbolicLink {
		if f, err := it.Src.At.Open(it.Src.Name, it.Follow, true); err == nil {
			it.file = f
			if attr, err := vfs.Stat(f); err == nil && attr.Mode.IsRegular() {
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

// closeFile closes the source if it was opened and is not in use.
func (it *item) closeFile() {
	if it.file != nil {
		_ = it.file.Close() // nothing was written to it
		it.file = nil
	}
}

// statDest looks up the entry at the destination.
func (w *worker) statDest(it *item) error {
	follow := w.FollowsDest(it.Attr.Mode)
	if follow && it.DestKnown == entry.DestAbsentOrDangling {
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
		// The link can be removed.
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

// awaitTurn makes an entry wait for its turn, or returns false if its turn has come.
func (w *worker) awaitTurn(ctx context.Context, it *item) bool {
	again := &item{
		Copy: entry.Copy{Src: it.Src, Dst: it.Dst, Follow: it.Follow, DestKnown: it.DestKnown, Parent: it.Parent},
		op:   it.op, in: it.in, node: it.node, top: it.top, again: true, turn: true,
	}
	if it.in != nil {
		it.in.waits.Store(true)
	}
	if it.Out.Later(func(now *output.Segment) {
		again.Out = now
		w := w.inTurn
		_, ok := w.copyWhereItIs(ctx, again) // the entry is not a directory
		w.note(ok)
	}) {
		return true
	}
	it.turn = true
	return false
}

// makeCopy makes the copy, now that nothing at the destination is in the way.
func (w *worker) makeCopy(ctx context.Context, it *item) (child *directory, ok bool) {
	if it.Attr.Mode.IsDir() {
		return w.enter(ctx, it)
	}
	claimed, done, ok := w.linkEarlier(ctx, it)
	if done {
		return nil, ok
	}
	w.announce(it)
	made := w.makeEntry(ctx, it)
	if claimed != nil {
		w.copies.finish(claimed, made)
	}
	if !made {
		w.restore(it)
		return nil, false
	}
	if !w.shared.Label(&it.Copy) {
		return nil, false
	}
	w.record(it)
	if !w.HardLink && !w.CopiesContents(it.Attr.Mode) {
		return nil, w.shared.Entry(&it.Copy)
	}
	return nil, true
}

// makeEntry makes an entry of the source's type.
func (w *worker) makeEntry(ctx context.Context, it *item) bool {
	mode := it.Attr.Mode
	switch {
	case w.SymbolicLink:
		return w.pointTo(it)
	case w.HardLink:
		return w.linkTo(it)
	case w.CopiesContents(it.Attr.Mode):
		if it.top && !it.again && it.Attr.Size >= w.shared.Cutoff && !w.InOrder() {
			w.pool(ctx, it) // the file may be large enough for other workers to help
		}
		src := it.file
		it.file = nil
		return w.files.CopyFile(ctx, &it.Copy, src)
	}
	switch mode.Type() {
	case fs.ModeSymlink:
		return w.symlink(it)
	case fs.ModeNamedPipe, fs.ModeSocket, fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		return w.special(it)
	}
	return it.Out.Refuse("%s has unknown file type", it.Src)
}

// linkEarlier makes the destination a hard link to the copy of the entry, if the entry was already copied under
// another name. done reports whether nothing is left to do, and ok then reports whether that is a success.
// Otherwise claimed, unless it is nil, is the copy that further names wait for.
func (w *worker) linkEarlier(ctx context.Context, it *item) (claimed *copied, done, ok bool) {
	if !w.TracksLinks(&it.Attr, it.Follow) {
		return nil, false, false
	}
	for {
		earlier, mine := w.copies.claim(it)
		if mine {
			return earlier, false, false
		}
		if !it.turn && w.awaitTurn(ctx, it) {
			return nil, true, true
		}
		<-earlier.done
		if earlier.ok {
			w.announce(it)
			return nil, true, w.linkCopy(it, earlier)
		}
	}
}
