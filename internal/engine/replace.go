package engine

import (
	"cmp"
	"context"
	"errors"
	"io/fs"

	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/metadata"
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
	temp := w.newTemp()
	if err := create(in, temp); err != nil {
		return err
	}
	var old backup.Backup
	var err error
	switch it.step {
	case plan.ReplaceDir:
		if err = w.makeWay(ctx, d, it); err == nil {
			err = w.lifter.Rmdir(d.dst, it.name)
		}
	case plan.Replace:
		old, err = w.backUp(ctx, d, it.name, false)
	}
	switch {
	case err != nil:
	case it.step == plan.Create:
		err = d.collision(publish(in, temp, d.dst, it.name))
	default:
		// Rename last: a reader sees the old entry or the whole new one.
		err = w.lifter.RenameOver(in, temp, d.dst, it.name)
	}
	if err != nil {
		return both(err, w.removeTemporary(d, in, temp))
	}
	return old.Finish()
}

// publish renames an entry to a name that must not exist yet, as far as the
// file system can make sure of that.
func publish(from vfs.Dir, oldname string, to vfs.Dir, newname string) error {
	err := to.Link(from, oldname, newname)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		// Only other runs could make the name now: within this one, two workers meet
		// the same name only where the destination folds names, and seldom at once.
		if _, err := to.Lstat(newname); !errors.Is(err, fs.ErrNotExist) {
			return cmp.Or(err, fs.ErrExist)
		}
		return vfs.Rename(from, oldname, to, newname)
	case err != nil:
		return err
	}
	return from.Remove(oldname)
}

// rewrite copies into an existing file. If that fails, its time is that of the
// failure, or a mark, so that it does not look current.
func (w *worker) rewrite(ctx context.Context, d *directory, it *item, from origin, o *attrs.Desired) (c copied, err error) {
	old, err := w.backUp(ctx, d, it.name, true)
	if err != nil {
		return c, err
	}
	dst, lifted, err := w.openForWriting(d.dst, it.name)
	if err != nil {
		return c, both(err, old.Finish())
	}
	defer func() { err = both(err, lifted.Release()) }()
	was, err := dst.Stat()
	if err == nil && !was.Mode.IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return c, both(both(err, dst.Close()), old.Finish())
	}
	err = w.copier.Overwrite(ctx, dst, from.File, from.attr, d.route)
	if err == nil {
		c.partial, err = w.ensureUnchanged(ctx, d, dst, from)
	}
	if err != nil {
		err = both(err, dst.Close())
		w.backups.MarkFailed(d.dst, it.name)
		return c, err
	}
	m, notes, err := w.attrs.Rewritten(d.volumes(), dst, lifted)
	w.reportAttrs(d, it.name, &it.flawed, notes)
	if err != nil {
		return c, both(err, dst.Close())
	}
	t := target{Entry: metadata.Entry{Dir: d.dst, Name: it.name}}
	if c.rest, _, err = w.complete(d, it, t, dst, o, m, c.partial); err != nil {
		return c, err
	}
	lifted.Discard()
	return c, old.Finish()
}

// openForWriting opens a file to be written in place, and lifts what locks and ACLs forbid, until the hold
// is released.
func (w *worker) openForWriting(in vfs.Dir, name string) (f vfs.File, lifted *attrs.Hold, err error) {
	f, err = openForWriting(in, name)
	if !errors.Is(err, fs.ErrPermission) {
		return f, nil, err
	}
	if lifted = w.lifter.Hold(in, name); lifted == nil {
		return nil, nil, err
	}
	if f, err = openForWriting(in, name); err != nil {
		return nil, nil, both(err, lifted.Release())
	}
	return f, lifted, nil
}

// openForWriting opens an existing file to be written in place. The owner needs
// no permission of its own for that. The mode is put back at once: what is open stays
// writable, also over NFS and SMB, and a run that is killed later leaves the mode as it was.
func openForWriting(in vfs.Dir, name string) (vfs.File, error) {
	if !in.Caps().Has(vfs.CanRewrite) {
		return nil, errNoRewriter
	}
	f, err := in.Rewrite(name)
	if !errors.Is(err, fs.ErrPermission) {
		return f, err
	}
	attr, lerr := in.Lstat(name)
	if lerr != nil || attr.Mode&0o600 == 0o600 || in.Chmod(name, attr.Mode|0o600) != nil {
		return nil, err
	}
	if f, err = in.Rewrite(name); err != nil {
		return nil, both(err, in.Chmod(name, attr.Mode))
	}
	if err = f.Chmod(attr.Mode); err != nil {
		return nil, both(err, f.Close())
	}
	return f, nil
}
