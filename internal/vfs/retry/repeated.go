package retry

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// What a call that is made again finds may be its own work. The functions of this file return nil if it is, or as good,
// and otherwise why the call has failed: the error of the call, or that of the look at what is there.

// unlessEmptyDir is for a directory that exists: one without entries is as good as a new one.
func unlessEmptyDir(in vfs.Dir, name string, err error) error {
	d, openErr := in.OpenDir(name)
	if openErr != nil {
		return outageOr(openErr, err)
	}
	defer d.Close()
	if listErr := d.ReadDir(func([]vfs.Entry) error { return err }); listErr != nil {
		return outageOr(listErr, err)
	}
	return nil
}

// unlessLinkTo is for a symbolic link that exists.
func unlessLinkTo(in vfs.Dir, name, target string, err error) error {
	there, lookErr := in.Readlink(name)
	if lookErr == nil && there == target {
		return nil
	}
	return outageOr(lookErr, err)
}

// unlessSpecial is for a special file that exists.
func unlessSpecial(in vfs.Dir, name string, mode fs.FileMode, dev uint64, err error) error {
	attr, lookErr := in.Lstat(name)
	isDevice := mode.Type()&fs.ModeDevice != 0
	if lookErr == nil && attr.Mode.Type() == mode.Type() && (!isDevice || attr.Rdev == dev) {
		return nil
	}
	return outageOr(lookErr, err)
}

// unlessExists is for an entry that could not be renamed, as it is gone: the caller had seen it, and nobody else
// renames it.
func unlessExists(in vfs.Dir, newname string, err error) error {
	_, lookErr := in.Lstat(newname)
	if lookErr == nil {
		return nil
	}
	return outageOr(lookErr, err)
}

// unlessSame is for a hard link that exists.
func unlessSame(oldDir vfs.Dir, oldname string, in vfs.Dir, newname string, err error) error {
	was, lookErr := oldDir.Lstat(oldname)
	if lookErr == nil {
		var is vfs.Attr
		if is, lookErr = in.Lstat(newname); lookErr == nil && is.ID() == was.ID() {
			return nil
		}
	}
	return outageOr(lookErr, err)
}

// removeMade removes a file that exists, if it looks like one that was just made.
func removeMade(in vfs.Dir, name string, err error) error {
	attr, lookErr := in.Lstat(name)
	if lookErr != nil || !attr.Mode.IsRegular() || attr.Size != 0 || attr.Nlink != 1 {
		return outageOr(lookErr, err)
	}
	if err := in.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// outageOr returns the error of a look at what is there if that is no answer: one of an outage, or that nothing is there.
// The call is made once more then. Otherwise it returns the error of the call.
func outageOr(lookErr, err error) error {
	if mayBeOutage(lookErr) || errors.Is(lookErr, fs.ErrNotExist) {
		return lookErr
	}
	return err
}
