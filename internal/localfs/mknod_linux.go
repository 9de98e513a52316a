package localfs

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// Mknod implements [vfs.Dir]. The number of a device is the one that stat(2) tells.
func (d *dir) Mknod(name string, mode fs.FileMode, dev uint64) error {
	if err := checkEntry("mknod", name); err != nil {
		return err
	}
	return d.mknod(name, mode.Type()|mode.Perm(), dev)
}

func (d *dir) mknod(name string, mode fs.FileMode, dev uint64) error {
	m, dev, err := specialType(mode, dev)
	if err != nil {
		return pathError("mknod", name, err)
	}
	return call("mknod", name, func() error {
		return unix.Mknodat(d.fd, name, m|unixMode(mode), int(dev))
	})
}
