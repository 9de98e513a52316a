package engine

import (
	"context"
	"errors"
	"io/fs"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/changed"
	"psync/internal/metadata"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// copied is what became of a file that has its contents.
type copied struct {
	rest    attrs.Rest // of its attributes, which have to wait for the final name
	partial bool       // the source has changed meanwhile
}

// write makes the file t with the contents of from and the attributes of o. If that fails, it removes
// the file.
func (w *worker) write(ctx context.Context, d *directory, it *item, t target, from origin, o *attrs.Desired) (copied, error) {
	dst, err := w.cloneFile(d, t, from)
	clone := dst != nil
	perm := w.attrs.FirstMode(d.asParent(), t.Dir, o)
	if !clone && err == nil {
		dst, err = w.create(d, t, perm)
	}
	if err != nil {
		return copied{}, err
	}
	c, id, err := w.fill(ctx, d, it, t, dst, from, o, clone, perm)
	if err != nil {
		return c, both(err, w.removePartial(d, t, id))
	}
	return c, nil
}

// fill gives the new file t, which is open as dst, contents and attributes, and closes it. If
// that fails, id identifies the file, or is zero where that is not known.
func (w *worker) fill(ctx context.Context, d *directory, it *item, t target, dst vfs.File, from origin, o *attrs.Desired, clone bool, perm fs.FileMode) (c copied, id vfs.ID, err error) {
	var m attrs.Made
	var notes attrs.Notes
	if clone {
		w.copier.Progress(from.attr.Size)
		m, notes, err = w.attrs.Cloned(d.volumes(), dst, o)
	} else {
		m, notes, err = w.attrs.Created(d.volumes(), d.asParent(), t.Dir, dst, perm, o)
	}
	w.reportAttrs(d, it.name, &it.flawed, notes)
	if !clone && err == nil {
		err = w.copier.Copy(ctx, dst, from.File, from.attr, d.route)
		if err == nil {
			c.partial, err = w.ensureUnchanged(ctx, d, dst, from)
		}
	}
	if err != nil {
		id = identify(dst)
		return c, id, both(err, dst.Close())
	}
	c.rest, id, err = w.complete(d, it, t, dst, o, m, c.partial)
	return c, id, err
}

// cloneFile makes a file together with its attributes, where the system does
// that, and returns nil where it does not.
func (w *worker) cloneFile(d *directory, t target, from origin) (vfs.File, error) {
	if !t.Dir.Caps().Has(vfs.CanCloneFile) || w.Content.Sparse || w.Content.Reflink == content.ReflinkNever || from.attr.Dev != d.dstVolume.Dev || d.dstVolume.LacksClones() {
		return nil, nil
	}
	if from.attr.Flags&w.profile.RootLocks != 0 && !w.User.Privileged() {
		return nil, nil // nobody could change, rename or remove it
	}
	f, err := t.Dir.CloneFile(from.File, t.Name, w.Keep.Owner && w.Keep.Group)
	switch {
	case err == nil:
		return w.cloneUnchanged(d, t, f, from)
	case errors.Is(err, fs.ErrExist):
		return nil, err
	case errors.Is(err, errors.ErrUnsupported):
		d.dstVolume.LearnNoClones()
	}
	return nil, nil // copying will tell what is really wrong
}

// cloneUnchanged looks whether from changed before it was cloned. If so, it removes the clone and
// returns nil: the file has to be copied, for a clone cannot be written to.
func (w *worker) cloneUnchanged(d *directory, t target, clone vfs.File, from origin) (vfs.File, error) {
	if change, _, _ := changed.Since(from.File, from.attr, d.srcVolume.Network); change == plan.Unchanged {
		return clone, nil
	}
	id := identify(clone)
	return nil, both(clone.Close(), w.removePartial(d, t, id))
}

// complete gives a file that has its contents the attributes of o, and closes it. m is what
// is known of the file. If that fails, id is as fill returns it.
func (w *worker) complete(d *directory, it *item, t target, dst vfs.File, o *attrs.Desired, m attrs.Made, partial bool) (rest attrs.Rest, id vfs.ID, err error) {
	rest, notes, err := w.attrs.SetOpen(d.volumes(), m, dst, o, partial)
	w.reportAttrs(d, it.name, &it.flawed, notes)
	if err == nil {
		err = w.syncFile(d, dst)
	}
	if err != nil || d.farDest || rest.WaitsForClose() {
		id = identify(dst)
	}
	// A network file system may tell only now that the contents did not arrive.
	if err = both(err, dst.Close()); err != nil || !t.stillOurs(id) {
		return rest, id, err
	}
	notes, err = w.attrs.SetClosed(d.volumes(), t.Entry, o, &rest)
	w.reportAttrs(d, it.name, &it.flawed, notes)
	return rest, id, err
}

// finishNamed gives an entry that now has its final name the rest of the attributes of o.
func (w *worker) finishNamed(d *directory, it *item, o *attrs.Desired, rest *attrs.Rest) error {
	locks, notes, err := w.attrs.SetNamed(d.volumes(), metadata.Entry{Dir: d.dst, Name: it.name}, o, rest)
	w.deferLocks(d, it.name, locks)
	w.reportAttrs(d, it.name, &it.flawed, notes)
	return err
}
