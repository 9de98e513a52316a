package localfs

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

func (d *dir) mknod(name string, mode fs.FileMode, dev uint64) error {
	m, dev, err := specialType(mode, dev)
	if err != nil {
		return pathError("mknod", name, err)
	}
	return call("mknod", name, func() error {
		return unix.Mknodat(d.fd, name, m|unixMode(mode), int(dev))
	})
}
