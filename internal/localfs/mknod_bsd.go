//go:build darwin || freebsd

package localfs

import (
	"errors"
	"io/fs"

	"psync/internal/sys"
)

// mknod makes no sockets: here only bind(2) does.
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
