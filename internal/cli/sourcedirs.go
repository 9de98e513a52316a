package cli

import (
	"errors"
	"io/fs"

	"psync/internal/vfs"
)

var errOtherDir = errors.New("was replaced by another directory since the operands were looked at")

// openSame opens the directory at path, and returns what identifies it: that must be want,
// unless want is zero.
func openSame(open func(string) (vfs.Dir, error), path string, want vfs.ID) (vfs.Dir, vfs.ID, error) {
	dir, err := open(path)
	if err != nil {
		return nil, vfs.ID{}, err
	}
	attr, err := dir.Lstat(".")
	id := attr.ID()
	if err == nil && want != (vfs.ID{}) && id != want {
		err = &fs.PathError{Op: "open", Path: path, Err: errOtherDir}
	}
	if err != nil {
		dir.Close()
		return nil, vfs.ID{}, err
	}
	return dir, id, nil
}
