package retry

import (
	"errors"
	"io/fs"
	"slices"

	"psync/internal/vfs"
	"psync/internal/vfs/retry/outcome"
)

// Make implements [vfs.Dir].
func (d *dir) Make(name string, s vfs.Spec) error {
	if s.Async {
		d.async.add(name, s)
	}
	return d.doOnce(name, func(in vfs.Dir, mayBeDone bool) error {
		if s.Async && mayBeDone { // opening d again may have made it
			return d.async.remakeOne(in, name)
		}
		err := in.Make(name, s)
		if !mayBeDone || !errors.Is(err, fs.ErrExist) {
			return err
		}
		switch s.Mode.Type() {
		case fs.ModeDir:
			if d.volume.conn != nil {
				return outcome.RemakeDir(in, name, s, err)
			}
			return outcome.UnlessEmptyDir(in, name, err)
		case fs.ModeSymlink:
			return outcome.UnlessLinkTo(in, name, s.Target, err)
		}
		return outcome.UnlessSpecial(in, name, s.Mode, s.Dev, err)
	})
}

// MakeDirs implements [vfs.Dir]. Directories that may have been made when the connection was lost count as made, without their
// changes.
func (d *dir) MakeDirs(dirs []vfs.NewDir) (wait func() []error, err error) {
	var answered func() []error
	in, err := d.call(unnamed, func(in vfs.Dir) (err error) {
		answered, err = in.MakeDirs(dirs)
		return err
	})
	if err != nil {
		return nil, err
	}
	dirs = slices.Clone(dirs) // the caller's may change
	return func() []error {
		errs := answered()
		if err := errors.Join(errs...); outcome.IsLost(err) {
			errs = d.makeDirsAgain(in, err, dirs)
		}
		return errs
	}, nil
}

// makeDirsAgain repeats MakeDirs, which failed on the directory in with err because the connection was lost.
func (d *dir) makeDirsAgain(in vfs.Dir, err error, dirs []vfs.NewDir) (errs []error) {
	err = d.repeat(".", in, err, func(in vfs.Dir) error {
		wait, err := in.MakeDirs(dirs)
		if err != nil {
			return err
		}
		errs = wait()
		return errors.Join(errs...)
	})
	if outcome.IsLost(err) {
		return slices.Repeat([]error{err}, len(dirs))
	}
	for i, err := range errs {
		if errors.Is(err, fs.ErrExist) {
			errs[i] = &vfs.PartialError{Err: err}
		}
	}
	return errs
}
