//go:build darwin || freebsd

package localfs

import (
	"errors"
	"io/fs"

	"psync/internal/sys"
)

// Mknod implements [vfs.Dir], but for sockets: here only bind(2) makes those. The
// number of a device is the one that stat(2) tells.
func (d *dir) Mknod(name string, mode fs.FileMode, dev uint64) error {
	if err := checkEntry("mknod", name); err != nil {
		return err
	}
	return d.mknod(name, mode.Type()|mode.Perm(), dev)
}

func (d *dir) mknod(name string, mode fs.FileMode, dev uint64) error {
	if mode.Type() == fs.ModeSocket {
		return pathError("mknod", name, errors.ErrUnsupported)
	}
	m, dev, err := specialType(mode, dev)
	if err != nil {
		return pathError("mknod", name, err)
	}
	return pathError("mknod", name, sys.Mknodat(d.fd, name, m|unixMode(mode), dev))
}
