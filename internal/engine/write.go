package engine

import (
	"context"
	"errors"
	"time"

	"psync/internal/content"
	"psync/internal/plan"
	"psync/internal/vfs"
)

var (
	errUnsteady = errors.New("changed while it was copied, so the copy may be a mixture; the next sync copies it again")
	errRestless = errors.New("changed while it was copied, so it was left out")
)

// write makes the file called target in the directory in, with the contents of
// from and the attributes attr. If that fails, nothing called target is left.
// Messages say name.
func (w *worker) write(ctx context.Context, d *directory, in vfs.Dir, from origin, attr vfs.Attr, name, target string) (err error) {
	perm := attr.Mode.Perm()
	if w.changesOwner(attr) {
		perm &= 0o700 // not for others to read before it is theirs
	}
	dst, err := in.Create(target, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = both(err, in.Remove(target))
		}
	}()
	err = w.copier.Copy(ctx, dst, from.File, from.attr, d.route)
	return w.complete(d, named{in, target}, dst, from, name, attr, err)
}

// complete gives a file that was written, if err says that it was, its
// attributes, and closes it.
func (w *worker) complete(d *directory, at named, dst vfs.File, from origin, name string, attr vfs.Attr, err error) error {
	late := plan.Change{}
	if err == nil {
		attr = w.steady(from, attr)
		if w.unsteady && (w.Policy.IgnoreExisting || w.Policy.SizeOnly) {
			err = &content.ReadError{Err: errRestless} // no time would have it copied again
		} else {
			late, err = w.dress(d, name, dst, attr)
		}
	}
	// A network file system may tell only now that the contents did not arrive.
	if err = both(err, dst.Close()); err != nil {
		return err
	}
	return w.set(d, name, at, late, attr)
}

// steady looks whether from has changed while it was copied. If so, the attributes
// for the copy get a time by which no later run can take it for current.
func (w *worker) steady(from origin, attr vfs.Attr) vfs.Attr {
	now, err := from.Stat()
	if err == nil && now.Size == from.attr.Size && now.Mtime.Equal(from.attr.Mtime) {
		return attr
	}
	w.unsteady = true
	attr.Mtime = time.Unix(0, 0)
	return attr
}

// changesOwner reports whether a new file must be given to somebody else.
func (w *worker) changesOwner(attr vfs.Attr) bool {
	return w.Keep.Owner && int(attr.UID) != w.UID || w.Keep.Group && int(attr.GID) != w.GID
}

// dress sets the attributes of a file that is still open, and returns what has
// to wait until it is closed: on a network file system the times, for there
// the data may be sent, and the time with it change, as late as that.
func (w *worker) dress(d *directory, name string, dst vfs.File, attr vfs.Attr) (late plan.Change, err error) {
	change := plan.Change{Chtimes: w.Keep.Times()}
	switch {
	case w.Keep.Owner || w.Keep.Group:
		made, err := dst.Stat()
		if err != nil {
			return late, err
		}
		change = plan.Changes(attr, made, w.Keep, plan.Tolerance{})
	case d.narrows():
		change.Chmod, change.Mode = true, attr.Mode.Perm()
	}
	if change.Chtimes && d.farDest {
		late.Chtimes, change.Chtimes = true, false
	}
	err = w.set(d, name, dst, change, attr)
	if errors.Is(err, errors.ErrUnsupported) {
		late.Chtimes, err = true, nil
	}
	return late, err
}
