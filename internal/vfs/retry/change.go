package retry

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// Remove implements [vfs.Dir].
func (d *dir) Remove(name string, only *vfs.Premise) error {
	return d.remove(name, func(in vfs.Dir) error { return in.Remove(name, only) })
}

// Rmdir implements [vfs.Dir].
func (d *dir) Rmdir(name string) error {
	return d.remove(name, func(in vfs.Dir) error { return in.Rmdir(name) })
}

// remove makes a call that removes an entry. That it does not exist is a success if an earlier call may have removed it.
func (d *dir) remove(name string, f func(in vfs.Dir) error) error {
	d.async.drop(name)
	mayBeDone, err := d.doUnlessGone(name, f)
	if mayBeDone && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Rename implements [vfs.Dir]. If an earlier call may have succeeded, the entry called newname may already be the one
// that was to be moved there; then oldname is gone.
func (d *dir) Rename(oldname string, to vfs.Dir, newname string, only *vfs.Premise) error {
	d.async.drop(oldname)
	in, name := to, oldname
	if to == nil {
		in, name = d, newname
	}
	mayBeDone, err := d.doUnlessGone(name, func(within vfs.Dir) error {
		return reopenOther(to, within.Rename(oldname, to, newname, only))
	})
	if !mayBeDone || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, vfs.ErrChanged) {
		return err
	}
	if only != nil {
		if _, lookErr := d.Statx(oldname, vfs.StatxFresh); !errors.Is(lookErr, fs.ErrNotExist) {
			return vfs.JoinErrors(err, lookErr)
		}
	}
	return outcome.UnlessExists(in, newname, err)
}

// doUnlessGone is do for a call that removes or renames an entry. mayBeDone reports whether an earlier call may have
// succeeded although it returned an error.
func (d *dir) doUnlessGone(name string, f func(in vfs.Dir) error) (mayBeDone bool, err error) {
	err = d.do(name, func(in vfs.Dir) error {
		err := f(in)
		mayBeDone = mayBeDone || outcome.MayBeOutage(err)
		return err
	})
	return mayBeDone, err
}

// Link implements [vfs.Dir].
func (d *dir) Link(oldDir vfs.Dir, oldname, newname string) error {
	return d.doOnce(newname, func(in vfs.Dir, mayBeDone bool) error {
		err := reopenOther(oldDir, in.Link(oldDir, oldname, newname))
		if mayBeDone && errors.Is(err, fs.ErrExist) {
			return outcome.UnlessSame(oldDir, oldname, in, newname, !in.Caps().Has(vfs.HasIdentity), err)
		}
		return err
	})
}

// reopenOther reopens the other directory of a call on two directories if err, the error of the call, says that one of
// them is stale. It returns err.
func reopenOther(other vfs.Dir, err error) error {
	if d, ok := other.(*dir); ok && outcome.IsStale(err) {
		_ = d.reopen(d.Unwrap(), true) // if that fails, so will the call
	}
	return err
}

// Set implements [vfs.Dir].
func (d *dir) Set(name string, changes []vfs.Change) []error {
	errs := set(changes, d.at(name), func(in vfs.Dir) []error { return in.Set(name, changes) })
	if name == "." && errs == nil {
		d.async.dropAll() // directories that were being made in it were waited for
	}
	return errs
}

// SyncVolume implements [vfs.Dir]. It may be retried although a loss is not reported a second time: callers that need
// the contents on disk sync each file.
func (d *dir) SyncVolume() error { return d.do(".", vfs.Dir.SyncVolume) }

// OpenFile implements [vfs.Dir].
func (d *dir) OpenFile(name string, mode vfs.OpenMode, perm fs.FileMode) (vfs.File, error) {
	switch {
	case mode == vfs.CreateAsync && d.volume.conn == nil:
		return nil, errors.ErrUnsupported
	case !mode.Writes():
		return d.openToRead(name, func(in vfs.Dir, name string) (vfs.File, error) { return in.OpenFile(name, mode, 0) })
	}
	return d.openToWrite(name, mode == vfs.CreateAsync, func(in vfs.Dir, mayBeDone bool) (vfs.File, error) {
		f, err := in.OpenFile(name, mode, perm)
		if mayBeDone && mode == vfs.Create && errors.Is(err, fs.ErrExist) {
			if err = outcome.RemoveMade(in, name, err); err == nil {
				f, err = in.OpenFile(name, mode, perm)
			}
		}
		return f, err
	})
}
