package engine

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/plan"
	"psync/internal/vfs"
)

var errNoRewriter = errors.New("this file system cannot write into existing files; leave out --inplace")

// replace lets create make an entry under a temporary name, and renames that to
// the name of it. On failure what stood there still does, unless it was a directory.
func (w *worker) replace(ctx context.Context, d *directory, it *item, create func(in vfs.Dir, temp string) error) error {
	in := d.dst
	if w.TempDir != nil {
		in = w.TempDir
	}
	temp := w.Temporaries.name(w.temps.Add(1))
	if err := create(in, temp); err != nil {
		return err
	}
	var err error
	switch it.step {
	case plan.ReplaceDir:
		if err = w.makeWay(ctx, d, it); err == nil {
			err = d.dst.Rmdir(it.name)
		}
	case plan.Replace:
		err = w.keepOld(ctx, d, it.name)
	}
	switch {
	case err != nil:
	case it.step == plan.Create:
		err = d.collision(publish(in, temp, d.dst, it.name))
	default:
		// Rename last: a reader sees the old entry or the whole new one.
		err = rename(in, temp, d.dst, it.name)
	}
	if err != nil {
		return both(err, in.Remove(temp))
	}
	return nil
}

// publish renames an entry to a name that must not exist yet, as far as the
// file system can make sure of that.
func publish(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	err := link(from, oldname, to, newname)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return rename(from, oldname, to, newname)
	case err != nil:
		return err
	}
	return from.Remove(oldname)
}

func rename(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	if from == to {
		return from.Rename(oldname, newname)
	}
	return move(from, oldname, to, newname)
}

// rewrite copies into an existing file. If that fails, its time is that of the
// failure, so that it does not look current.
func (w *worker) rewrite(ctx context.Context, d *directory, from origin, attr vfs.Attr, name string) error {
	if err := w.copyAside(ctx, d, name); err != nil {
		return err
	}
	dst, err := openForWriting(d.dst, name)
	if err != nil {
		return err
	}
	was, err := dst.Stat()
	if err == nil && !was.Mode.IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return both(err, dst.Close())
	}
	if err = w.copier.Overwrite(ctx, dst, from.File, from.attr, d.route); err == nil && was.Mode.Perm() != attr.Mode.Perm() {
		err = dst.Chmod(was.Mode&^0o777 | attr.Mode.Perm())
	}
	return w.complete(d, named{d.dst, name}, dst, from, name, attr, err)
}

// openForWriting opens an existing file to be written in place. The owner needs
// no permission of its own for that.
func openForWriting(in vfs.Dir, name string) (vfs.File, error) {
	r, ok := in.(vfs.Rewriter)
	if !ok {
		return nil, errNoRewriter
	}
	f, err := r.Rewrite(name)
	if !errors.Is(err, fs.ErrPermission) {
		return f, err
	}
	attr, lerr := in.Lstat(name)
	if lerr != nil || attr.Mode&0o600 == 0o600 || in.Chmod(name, attr.Mode|0o600) != nil {
		return nil, err
	}
	if f, err = r.Rewrite(name); err != nil {
		return nil, both(err, in.Chmod(name, attr.Mode))
	}
	return f, nil
}
