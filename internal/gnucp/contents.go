package gnucp

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/content"
	"psync/internal/gnucp/output"
	"psync/internal/gnucp/policy"
	"psync/internal/localfs"
	"psync/internal/report"
	"psync/internal/vfs"
)

// contents copies an entry as a regular file. Unless the file is new, it is written in
// place, through links if there are any.
func (w *worker) contents(ctx context.Context, it *item) bool {
	src := it.file
	it.file = nil
	ok := src != nil
	if !ok {
		if src, ok = w.openSource(it); src == nil {
			return false
		}
	}
	ok = ok && w.fill(ctx, it, src)
	if err := src.Close(); err != nil {
		return it.out.Fail(err, "failed to close %s", it.src)
	}
	return ok
}

// openSource opens the source, and reports whether it still is what it was.
func (w *worker) openSource(it *item) (src vfs.File, ok bool) {
	src, err := it.src.At.Open(it.src.Name, it.follow, it.attr.Mode.IsRegular())
	if err != nil {
		return nil, it.out.Fail(err, "cannot open %s for reading", it.src)
	}
	attr, err := src.Stat()
	switch {
	case err != nil:
		return src, it.out.Fail(err, "cannot fstat %s", it.src)
	case attr.ID() != it.attr.ID():
		return src, it.out.Refuse("skipping file %s, as it was replaced while being copied", it.src)
	}
	it.attr = attr
	return src, true
}

// fill makes or opens the destination, and gives it contents and attributes of src.
func (w *worker) fill(ctx context.Context, it *item, src vfs.File) bool {
	if w.stages(it) {
		if s := w.stage(it); s != nil {
			return w.fillStage(ctx, it, src, s)
		}
	}
	dst, extra, opened := w.open(it)
	if !opened {
		return false
	}
	whole, ok := w.fillOpen(ctx, it, src, dst, extra)
	var written vfs.ID
	if w.Update == policy.UpdateOlder || ctx.Err() != nil {
		written = identify(dst)
	}
	misleads := !whole && w.Update == policy.UpdateOlder && it.antedate(dst) != nil
	if err := dst.Close(); err != nil {
		misleads = w.Update == policy.UpdateOlder
		ok = it.out.Fail(err, "failed to close %s", it.dst)
	}
	if misleads || ctx.Err() != nil && it.isNew {
		// The next run with --update would take for whole what cp leaves.
		it.dst.Remove(written)
		return false
	}
	if ok {
		w.count.Add(report.FilesCopied, 1)
	}
	return ok
}

// open opens the file to write. extra are rights that its mode has for a while.
func (w *worker) open(it *item) (dst vfs.File, extra fs.FileMode, ok bool) {
	var err error
	if !it.isNew {
		dst, err = it.dst.At.Rewrite(it.dst.Name, !w.AttributesOnly)
		if err != nil && !errors.Is(err, syscall.ENOENT) && w.Force {
			switch removed := it.dst.At.Remove(it.dst.Name); {
			case removed == nil:
				if w.Verbose {
					it.out.Say("removed %s\n", it.dst)
				}
			case !errors.Is(removed, syscall.ENOENT):
				return nil, 0, it.out.Fail(removed, "cannot remove %s", it.dst)
			}
			err = syscall.ENOENT
		}
		it.isNew = errors.Is(err, syscall.ENOENT)
	}
	if it.isNew {
		var mode fs.FileMode
		mode, extra = w.NewFile(it.attr.Mode, w.root)
		if dst, err = w.create(it, mode); dst == nil && err == nil {
			return nil, 0, false
		}
	}
	if err != nil {
		return nil, 0, it.out.Fail(err, "cannot create regular file %s", it.dst)
	}
	return dst, extra, true
}

// create makes a new file. It returns neither a file nor an error after it has told
// that it must not write through a link that leads nowhere.
func (w *worker) create(it *item, mode fs.FileMode) (vfs.File, error) {
	dst, err := it.dst.At.Create(it.dst.Name, mode, true)
	if errors.Is(err, syscall.EEXIST) {
		if now, looked := it.dst.At.Stat(it.dst.Name, false); looked == nil && policy.IsLink(now.Mode) {
			if !w.ThroughDangling {
				it.out.Warn("not writing through dangling symlink %s", it.dst)
				return nil, nil
			}
			dst, err = it.dst.At.Create(it.dst.Name, mode, false)
		}
	}
	if name := it.dst.Name; errors.Is(err, syscall.EISDIR) && name[len(name)-1] == '/' {
		err = syscall.ENOTDIR
	}
	return dst, err
}

// fillOpen gives dst contents and attributes. whole says that it has the contents.
func (w *worker) fillOpen(ctx context.Context, it *item, src, dst vfs.File, extra fs.FileMode) (whole, ok bool) {
	now, err := w.opened(it, dst, extra)
	if err != nil {
		return false, it.out.Fail(err, "cannot fstat %s", it.dst)
	}
	if mode := now.Mode | extra; mode != now.Mode && dst.Chmod(mode) != nil {
		extra = 0 // setting what needs it will tell
	}
	if !w.AttributesOnly && !w.move(ctx, it, src, dst, now) {
		return false, false
	}
	w.countFork(src)
	return true, w.dress(it, src, dst, now, extra)
}

// opened returns what matters of a file that is open for writing.
func (w *worker) opened(it *item, dst vfs.File, extra fs.FileMode) (vfs.Attr, error) {
	switch {
	case !it.isNew || extra != 0 || w.Preserve.Ownership && it.in == nil:
		return dst.Stat()
	case w.Preserve.Ownership:
		return it.in.newFile(dst)
	}
	return vfs.Attr{}, nil // it is regular, which is all
}

// move copies the bytes.
func (w *worker) move(ctx context.Context, it *item, src, dst vfs.File, now vfs.Attr) bool {
	attr := it.attr
	route := w.route(it, attr, src, dst)
	var seen watch
	if w.Debug {
		dst, src = seen.both(dst, src)
		defer func() { it.out.Say("%s", output.Plain(seen.explain(&w.Options))) }()
	}
	if w.Reflink == content.ReflinkAlways {
		return w.clone(it, src, dst)
	}
	if w.Reflink == content.ReflinkAuto && (w.Sparse == policy.SparseAlways || w.Debug && attr.Size == 0) && dst.Clone(src) == nil {
		w.copier.Progress(attr.Size)
		return true
	}
	w.copier.Sparse, w.copier.Dense = w.Sparse == policy.SparseAlways, w.Sparse == policy.SparseNever
	if !attr.Mode.IsRegular() {
		src, attr.Size, attr.Blocks = localfs.Stream(src), 0, 0
	}
	if !now.Mode.IsRegular() {
		dst, w.copier.Sparse, w.copier.Dense = localfs.Stream(dst), false, true
	}
	err := w.copier.Copy(ctx, dst, src, attr, route)
	if err == nil && attr.Size > 0 {
		err = w.copier.Append(ctx, dst, src, attr.Size) // what has come meanwhile
	}
	var read *content.ReadError
	switch {
	case err == nil, errors.Is(err, content.ErrChanged):
		return true // cp copies what there is
	case ctx.Err() != nil:
		return false
	case errors.As(err, &read):
		return it.out.Fail(err, "error reading %s", it.src)
	}
	return it.out.Fail(err, "error writing %s", it.dst)
}

// clone shares the blocks of src, or removes what it has made.
func (w *worker) clone(it *item, src, dst vfs.File) bool {
	err := dst.Clone(src)
	if err == nil {
		w.copier.Progress(it.attr.Size)
		return true
	}
	it.out.Fail(err, "failed to clone %s from %s", it.dst, it.src)
	if it.isNew && it.temp == "" {
		if err := it.dst.At.Remove(it.dst.Name); err != nil && !errors.Is(err, syscall.ENOENT) {
			it.out.Fail(err, "cannot remove %s", it.dst)
		}
	}
	return false
}

// identify returns the identity of an open file, or the zero ID if it cannot be found out.
func identify(f vfs.File) vfs.ID {
	attr, err := f.Stat()
	if err != nil {
		return vfs.ID{}
	}
	return attr.ID()
}
