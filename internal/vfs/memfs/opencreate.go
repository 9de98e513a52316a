package memfs

import (
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/vfs"
)

// OpenCreate opens or makes a regular file.
func (d *memDir) OpenCreate(name string, perm fs.FileMode) (vfs.File, error) {
	var f vfs.File
	err := d.on("create", name, func(n *inode) error {
		switch n.Mode.Type() {
		case fs.ModeSymlink:
			return syscall.ELOOP
		case fs.ModeDir:
			return syscall.EISDIR
		}
		if err := d.kernel.may(n, rightWrite); err != nil {
			return err
		}
		f = d.openFileLocked(n, name, false, true)
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return d.Create(name, perm)
	}
	return f, err
}
