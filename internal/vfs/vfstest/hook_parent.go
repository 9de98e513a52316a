package vfstest

import "psync/internal/vfs"

// OpenParent is that of the inner Dir, if it has one.
func (d *hookedDir) OpenParent() (vfs.Dir, error) {
	able, ok := d.inner.(vfs.ParentOpener)
	if !ok {
		return nil, unsupported("open", "..")
	}
	if err := d.hook.call("openparent", ".."); err != nil {
		return nil, err
	}
	up, err := able.OpenParent()
	if err != nil {
		return nil, err
	}
	return wrapDir(&hookedDir{up, "..", d.hook}), nil
}
