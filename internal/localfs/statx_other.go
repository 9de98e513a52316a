//go:build !linux

package localfs

import (
	"errors"

	"psync/internal/vfs"
)

func (d *dir) identify(name string) (vfs.Attr, error) {
	return vfs.Attr{}, vfs.PathError("lstat", name, errors.ErrUnsupported)
}

func (d *dir) lstatFresh(name string) (vfs.Attr, error) { return d.stat("lstat", name, false) }

func (f *file) Statx(vfs.StatxWant) (vfs.Attr, error) { return f.stat() }
