package asyncfs

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// A file is one that was made, or not, with CreateAsync.
type file struct {
	vfs.File
	in   vfs.Dir
	name string
	err  error // why it was not made
}

// Unwrap returns the File within.
func (f *file) Unwrap() vfs.File { return f.File }

func (f *file) Commit(changes []vfs.Change, sync bool) (errs []error, err error) {
	if f.err != nil {
		return nil, f.err
	}
	errs = f.Set(changes)
	if err = vfs.FirstFatal(changes, errs); err == nil && sync {
		if err = f.File.Sync(); errors.Is(err, errors.ErrUnsupported) {
			err = nil
		}
	}
	if err != nil {
		return errs, vfs.JoinErrors(err, f.Close())
	}
	attr, staterr := vfs.Stat(f.File)
	if err = f.File.Close(); err != nil {
		err = vfs.JoinErrors(err, f.remove(attr, staterr))
	}
	return errs, err
}

func (f *file) Close() error {
	if f.err != nil {
		return nil
	}
	attr, err := vfs.Stat(f.File)
	vfs.CloseUnwritten(f.File)
	return f.remove(attr, err)
}

// remove removes what is left of a file with the attributes attr, unless another one has its name.
func (f *file) remove(attr vfs.Attr, err error) error {
	if err != nil {
		return err
	}
	now, err := vfs.Lstat(f.in, f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && now.ID() != attr.ID():
		return nil
	case err != nil:
		return err
	}
	return f.in.Remove(f.name, nil)
}

// unmade stands for a file that could not be made. What is written to it is lost.
type unmade struct {
	vfs.UnsupportedFile
	err error
}

func (f *unmade) Statx(vfs.StatxWant) (vfs.Attr, error)  { return vfs.Attr{}, f.err }
func (f *unmade) Set([]vfs.Change) []error               { return []error{f.err} }
func (f *unmade) ReadAt([]byte, int64) (int, error)      { return 0, f.err }
func (f *unmade) WriteAt(p []byte, _ int64) (int, error) { return len(p), nil }
func (f *unmade) Truncate(int64) error                   { return nil }
func (f *unmade) Close() error                           { return f.err }
