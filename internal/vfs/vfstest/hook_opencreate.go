package vfstest

import (
	"io/fs"

	"psync/internal/vfs"
)

// OpenCreate is that of the inner Dir, if it has one; its hook is that of Create.
func (d *hookedDir) OpenCreate(name string, perm fs.FileMode) (vfs.File, error) {
	o, ok := d.inner.(vfs.OpenCreator)
	if !ok {
		return nil, unsupported("create", name)
	}
	if err := d.hook.call("create", name); err != nil {
		return nil, err
	}
	f, err := o.OpenCreate(name, perm)
	if err != nil {
		return nil, err
	}
	return newHookedFile(f, name, "fclose", d.hook), nil
}
