package vfstest

import (
	"io/fs"

	"psync/internal/vfs"
)

func (d *hookedDir) Node(name string) (vfs.Node, error) {
	able, ok := d.inner.(vfs.NodeDir)
	if !ok {
		return nil, unsupported("node", name)
	}
	if err := d.hook.call("node", name); err != nil {
		return nil, err
	}
	n, err := able.Node(name)
	if err != nil {
		return nil, err
	}
	return &hookedNode{hookedMeta{n, d.Caps(), name, d.hook}}, nil
}

func (d *hookedDir) Mknod(name string, mode fs.FileMode, dev uint64) error {
	able, ok := d.inner.(vfs.Mknoder)
	if !ok {
		return unsupported("mknod", name)
	}
	if err := d.hook.call("mknod", name); err != nil {
		return err
	}
	return able.Mknod(name, mode, dev)
}

func (d *hookedDir) CloneFile(src vfs.File, name string, owner bool) (vfs.File, error) {
	able, ok := d.inner.(vfs.FileCloner)
	if !ok {
		return nil, unsupported("clonefile", name)
	}
	if err := d.hook.call("clonefile", name); err != nil {
		return nil, err
	}
	f, err := able.CloneFile(unwrap(src), name, owner)
	if err != nil {
		return nil, err
	}
	return newHookedFile(f, name, "fclose", d.hook), nil
}
