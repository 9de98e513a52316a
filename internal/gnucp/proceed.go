package gnucp

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/gnucp/entry"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
)

// proceed makes the copy, now that nothing at the destination is in the way.
func (w *worker) proceed(ctx context.Context, it *item) (ok bool) {
	if it.attr.Mode.IsDir() {
		return w.enter(ctx, it)
	}
	if done, ok := w.linkEarlier(ctx, it); done {
		return ok
	}
	w.announce(it)
	made := w.produce(ctx, it)
	if it.claimed != nil {
		w.copies.settle(it.claimed, made)
	}
	if !made {
		w.restore(it)
		return false
	}
	if !w.label(it) {
		return false
	}
	w.record(it)
	if !w.HardLink && !w.CopiesContents(it.attr.Mode) {
		return w.finish(it)
	}
	return true
}

// record notes what an operand has become.
func (w *worker) record(it *item) {
	if it.top && w.listsSources {
		if attr, err := it.dst.At.Stat(it.dst.Name, false); err == nil {
			w.dests.Add(it.dst.String(), attr)
		}
	}
}

// announce tells what is copied where to.
func (w *worker) announce(it *item) {
	if !w.Verbose {
		return
	}
	if it.backup != "" {
		it.out.Say("%s -> %s (backup: %s)\n", it.src, it.dst, entry.Place{At: it.dst.At, Dir: it.dst.Dir, Name: it.backup})
		return
	}
	it.out.Say("%s -> %s\n", it.src, it.dst)
}

// produce makes whatever the entry is.
func (w *worker) produce(ctx context.Context, it *item) bool {
	mode := it.attr.Mode
	switch {
	case w.SymbolicLink:
		return w.pointTo(it)
	case w.HardLink:
		return w.linkTo(it)
	case w.CopiesContents(it.attr.Mode):
		return w.contents(ctx, it)
	}
	switch mode.Type() {
	case fs.ModeSymlink:
		return w.symlink(it)
	case fs.ModeNamedPipe, fs.ModeSocket, fs.ModeDevice, fs.ModeDevice | fs.ModeCharDevice:
		return w.special(it)
	}
	return it.out.Refuse("%s has unknown file type", it.src)
}

// postpone lets an entry wait for its turn, or returns false if that has come.
func (w *worker) postpone(ctx context.Context, it *item) bool {
	again := &item{op: it.op, in: it.in, top: it.top, again: true, turn: true, src: it.src, dst: it.dst, follow: it.follow, known: it.known}
	if it.in != nil {
		it.in.waits.Store(true)
	}
	if it.out.Later(func(now *output.Segment) {
		again.out = now
		w := w.inTurn
		w.note(w.inDirectory(again, func() bool { return w.entry(ctx, again) }))
	}) {
		return true
	}
	it.turn = true
	return false
}

// linkEarlier makes the entry another name of its copy, if there is one by another name.
// It reports whether that is all to be done, and if so, whether all is well.
func (w *worker) linkEarlier(ctx context.Context, it *item) (done, ok bool) {
	if !w.TracksLinks(&it.attr, it.follow) {
		return false, false
	}
	for {
		earlier, mine := w.copies.claim(it)
		if mine {
			it.claimed = earlier
			return false, false
		}
		if !it.turn && w.postpone(ctx, it) {
			return true, true
		}
		<-earlier.done
		if earlier.ok {
			w.announce(it)
			return true, w.linkCopy(it, earlier)
		}
	}
}

// linkCopy makes the entry another name of an earlier copy.
func (w *worker) linkCopy(it *item, earlier *copied) bool {
	old := &item{in: earlier.in, dst: earlier.place, out: it.out}
	linked := w.inDirectory(old, func() bool { return w.link(it, old.dst, it.follow, true, w.Verbose) })
	if !linked {
		w.restore(it)
		return false
	}
	w.count.Add(report.HardLinked, 1)
	return true
}

// linkTo makes a hard link to the source.
func (w *worker) linkTo(it *item) bool {
	return w.link(it, it.src, it.follow, w.Force || w.Interactive, false)
}

// link makes the destination another name of old. If replace is true, it may exist; tell says whether
// that is worth telling.
func (w *worker) link(it *item, old entry.Place, follow, replace, tell bool) bool {
	create := func(name string) error { return it.dst.At.Link(old.At, old.Name, name, follow) }
	err := create(it.dst.Name)
	replace = replace && errors.Is(err, syscall.EEXIST)
	if replace {
		err = w.replace(it.dst, create)
	}
	if err != nil {
		return it.out.Fail(err, "cannot create hard link %s to %s", it.dst, old)
	}
	if replace && tell {
		it.out.Say("removed %s\n", it.dst)
	}
	return true
}

// symlink makes a symbolic link like the source.
func (w *worker) symlink(it *item) bool {
	target, err := it.src.At.Readlink(it.src.Name)
	if err != nil {
		return it.out.Fail(err, "cannot read symbolic link %s", it.src)
	}
	if err := w.point(it.dst, target); err != nil && !w.pointsAlready(it, target) {
		return it.out.Fail(err, "cannot create symbolic link %s", it.dst)
	}
	if w.Preserve.Ownership {
		err := it.dst.At.Lchown(it.dst.Name, int(it.attr.UID), int(it.attr.GID))
		if err != nil && !w.mayIgnore(err) {
			it.out.Fail(err, "failed to preserve ownership for %s", output.Plain(it.dst.String())) // as cp has it
			return !w.Preserve.Required
		}
	}
	return true
}

// pointsAlready reports whether the destination of an update already is the link wanted.
func (w *worker) pointsAlready(it *item, target string) bool {
	if w.Update != policy.UpdateOlder || it.isNew || it.was == nil || !policy.IsLink(it.was.Mode) {
		return false
	}
	now, err := it.dst.At.Readlink(it.dst.Name)
	return err == nil && now == target
}

// pointTo makes a symbolic link to the source.
func (w *worker) pointTo(it *item) bool {
	src := it.src.String()
	if src == "" || src[0] != '/' {
		if here, err := w.isHere(it.dst); err == nil && !here {
			return it.out.Refuse("%s: can make relative symbolic links only in current directory", output.Leading(it.dst.String()))
		}
	}
	if err := w.point(it.dst, src); err != nil {
		return it.out.Fail(err, "cannot create symbolic link %s to %s", it.dst, src)
	}
	return true
}

// isHere reports whether a place is in the working directory.
func (w *worker) isHere(p entry.Place) (bool, error) {
	here, err := localfs.Cwd.Stat(".", true)
	if err != nil {
		return false, err
	}
	parent, err := localfs.Cwd.Stat(entry.DirName(p.String()), true)
	return here.ID() == parent.ID(), err
}

// point makes a symbolic link, with --force in place of what is there.
func (w *worker) point(dst entry.Place, target string) error {
	err := dst.At.Symlink(target, dst.Name)
	if errors.Is(err, syscall.EEXIST) && w.Force {
		return w.replace(dst, func(name string) error { return dst.At.Symlink(target, name) })
	}
	return err
}

// special makes a fifo, a socket or a device.
func (w *worker) special(it *item) bool {
	what := output.Plain("special file")
	if it.attr.Mode.Type() == fs.ModeNamedPipe {
		what = "fifo"
	}
	if err := it.dst.At.Mknod(it.dst.Name, it.attr.Mode&^w.Omitted(it.attr.Mode), it.attr.Rdev); err != nil {
		return it.out.Fail(err, "cannot create %s %s", what, it.dst)
	}
	w.count.Add(report.SpecialsMade, 1)
	return true
}
