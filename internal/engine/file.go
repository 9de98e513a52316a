package engine

import (
	"context"
	"errors"

	"psync/internal/content"
	"psync/internal/plan"
	"psync/internal/report"
	"psync/internal/vfs"
)

// file copies a regular file.
func (w *worker) file(ctx context.Context, d *directory, name string, step plan.Step) {
	size, side, err := w.transfer(ctx, d, name, step)
	if err != nil {
		w.fail(d, side, name, err)
		return
	}
	kind := report.Copy
	if step == plan.Create {
		w.count.Add(report.FilesMade, 1)
	} else {
		kind = report.Replace
		w.count.Add(report.Replaced, 1)
	}
	w.count.Add(report.FilesCopied, 1)
	w.tell(d, report.Event{Kind: kind, Name: name, Size: size})
}

// transfer copies contents and attributes, and returns the size of the source. A
// dry run opens the source, too: only so it is found out what cannot be read.
func (w *worker) transfer(ctx context.Context, d *directory, name string, step plan.Step) (size int64, side side, err error) {
	src, err := d.src.Open(name)
	if err != nil {
		return 0, onSource, err
	}
	defer src.Close()
	w.inHand = 0
	defer func() {
		if err != nil {
			w.count.Add(report.BytesCopied, -w.inHand)
		}
	}()
	attr, err := src.Stat()
	if err != nil {
		return 0, onSource, err
	}
	if !attr.Mode.IsRegular() {
		return 0, onSource, errNotRegular
	}
	w.count.Add(report.BytesSeen, attr.Size)
	switch {
	case w.DryRun:
		w.count.Add(report.BytesCopied, attr.Size)
	case step != plan.Create:
		err = w.replace(d, name, step, func(temp string) error { return w.write(ctx, d, src, attr, name, temp) })
	default:
		err = d.collision(w.write(ctx, d, src, attr, name, name))
	}
	if ctx.Err() != nil && err == context.Cause(ctx) {
		return 0, 0, errStopped
	}
	var read *content.ReadError
	if errors.As(err, &read) {
		if err == read {
			err = read.Err // or else it tells what was left behind as well
		}
		return 0, onSource, err
	}
	return attr.Size, onDest, err
}

// replace lets create make an entry under a temporary name, and renames that
// to name. On failure what stood under name still does, unless it was an empty directory.
func (w *worker) replace(d *directory, name string, step plan.Step, create func(temp string) error) error {
	temp := w.Temporaries.name(w.temps.Add(1))
	if err := create(temp); err != nil {
		return err
	}
	var err error
	if step == plan.ReplaceDir {
		err = d.dst.Rmdir(name)
	}
	if err == nil {
		// Rename last: a reader sees the old entry or the whole new one.
		err = d.dst.Rename(temp, name)
	}
	if err != nil {
		return both(err, d.dst.Remove(temp))
	}
	return nil
}

// write makes the file called target, with the contents of src and the attributes
// attr. If that fails, nothing called target is left. Messages say name.
func (w *worker) write(ctx context.Context, d *directory, src vfs.File, attr vfs.Attr, name, target string) (err error) {
	perm := attr.Mode.Perm()
	if w.changesOwner(attr) {
		perm &= 0o700 // not for others to read before it is theirs
	}
	dst, err := d.dst.Create(target, perm)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = both(err, d.dst.Remove(target))
		}
	}()

	err = w.copier.Copy(ctx, dst, src, attr, d.route)
	late := plan.Change{}
	if err == nil {
		late, err = w.dress(d, name, dst, attr)
	}
	// A network file system may tell only now that the contents did not arrive.
	if err = both(err, dst.Close()); err != nil {
		return err
	}
	return w.set(d, name, named{d.dst, target}, late, attr)
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
		change = plan.Changes(attr, made, w.Keep)
	case d.masked:
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
