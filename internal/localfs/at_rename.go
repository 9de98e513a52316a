package localfs

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// RenameNew renames an entry to a path that must not exist; otherwise the error is EEXIST. Where the system cannot do
// that atomically, RenameNew checks first.
func (a At) RenameNew(oldpath, newpath string) error {
	err := renameExclusive(a.dir.fd, oldpath, newpath)
	if !errors.Is(err, errors.ErrUnsupported) && err != unix.EINVAL {
		return vfs.PathError("rename", oldpath, err)
	}
	if _, err := a.Stat(newpath, false); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = vfs.PathError("rename", oldpath, unix.EEXIST)
		}
		return err
	}
	return a.Rename(oldpath, newpath)
}
