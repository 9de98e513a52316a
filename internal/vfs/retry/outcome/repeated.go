package outcome

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

// A repeated call may find its own earlier work. The functions in this file return nil if it does, or if what is there
// is just as good. Otherwise they return why the call failed: the error of the call, or the error of examining what is
// there.

// UnlessEmptyDir handles a directory that already exists: one without entries is as good as a new one.
func UnlessEmptyDir(in vfs.Dir, name string, err error) error {
	d, openErr := in.OpenDir(name, vfs.NoFollow)
	if openErr != nil {
		return outageOr(openErr, err)
	}
	defer d.Close()
	if listErr := d.ReadDir(func([]vfs.Entry) error { return err }); listErr != nil {
		return outageOr(listErr, err)
	}
	return nil
}

// RemakeDir handles a directory that already exists, and that may lack its mode: one without entries is replaced.
func RemakeDir(in vfs.Dir, name string, s vfs.Spec, err error) error {
	if rmErr := in.Rmdir(name); rmErr != nil {
		return outageOr(rmErr, err)
	}
	return in.Make(name, s)
}

// UnlessMade handles a directory that already exists, and that may lack its mode: one without entries gets it. The directory
// that it is in stays as it is, for it may have its times already.
func UnlessMade(in vfs.Dir, name string, s vfs.Spec, err error) error {
	if err := UnlessEmptyDir(in, name, err); err != nil {
		return err
	}
	attr, err := vfs.Lstat(in, name)
	if err != nil || attr.Mode.Perm() == s.Mode.Perm() {
		return err
	}
	return vfs.Chmod(vfs.In(in, name), attr.Mode&^(fs.ModeType|fs.ModePerm)|s.Mode.Perm())
}

// UnlessLinkTo handles a symbolic link that already exists.
func UnlessLinkTo(in vfs.Dir, name, target string, err error) error {
	there, lookErr := in.Readlink(name)
	if lookErr == nil && there == target {
		return nil
	}
	return outageOr(lookErr, err)
}

// UnlessSpecial handles a special file that already exists.
func UnlessSpecial(in vfs.Dir, name string, mode fs.FileMode, dev uint64, err error) error {
	attr, lookErr := vfs.Lstat(in, name)
	isDevice := mode.Type()&fs.ModeDevice != 0
	if lookErr == nil && attr.Mode.Type() == mode.Type() && (!isDevice || attr.Rdev == dev) {
		return nil
	}
	return outageOr(lookErr, err)
}

// UnlessExists handles an entry that could not be renamed because it is gone: the caller had seen it, and no one else
// renames it.
func UnlessExists(in vfs.Dir, newname string, err error) error {
	_, lookErr := vfs.Lstat(in, newname)
	if lookErr == nil {
		return nil
	}
	return outageOr(lookErr, err)
}

// UnlessSame handles a hard link that already exists. Where entries have no identity, their attributes decide.
func UnlessSame(oldDir vfs.Dir, oldname string, in vfs.Dir, newname string, byPath bool, err error) error {
	was, lookErr := vfs.Lstat(oldDir, oldname)
	if lookErr == nil {
		var is vfs.Attr
		if is, lookErr = vfs.Lstat(in, newname); lookErr == nil && (is.ID() == was.ID() || byPath && sameButForPath(is, was)) {
			return nil
		}
	}
	return outageOr(lookErr, err)
}

func sameButForPath(a, b vfs.Attr) bool {
	a.Ino, a.Atime = b.Ino, b.Atime
	return a == b
}

// RemoveMade removes a file that exists, if it looks like one that was just made.
func RemoveMade(in vfs.Dir, name string, err error) error {
	attr, lookErr := vfs.Lstat(in, name)
	if lookErr != nil || !attr.Mode.IsRegular() || attr.Size != 0 || attr.Nlink != 1 {
		return outageOr(lookErr, err)
	}
	if err := in.Remove(name, nil); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// outageOr returns lookErr, the error of examining what is there, if it is due to an outage or says that nothing is
// there; the call is then repeated. Otherwise it returns err, the error of the call.
func outageOr(lookErr, err error) error {
	if MayBeOutage(lookErr) || errors.Is(lookErr, fs.ErrNotExist) {
		return lookErr
	}
	return err
}
