package localfs

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// Mknod implements [vfs.Mknoder]. The number of a device is the one that stat(2) tells.
func (d *dir) Mknod(name string, mode fs.FileMode, dev uint64) error {
	if err := checkEntry("mknod", name); err != nil {
		return err
	}
	var m uint32
	switch mode.Type() {
	case fs.ModeNamedPipe:
		m, dev = unix.S_IFIFO, 0
	case fs.ModeSocket:
		m, dev = unix.S_IFSOCK, 0
	case fs.ModeDevice | fs.ModeCharDevice:
		m = unix.S_IFCHR
	case fs.ModeDevice:
		m = unix.S_IFBLK
	default:
		return pathError("mknod", name, unix.EINVAL)
	}
	return call("mknod", name, func() error {
		return unix.Mknodat(d.fd, name, m|uint32(mode.Perm()), int(dev))
	})
}
