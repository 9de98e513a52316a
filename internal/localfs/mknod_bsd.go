//go:build darwin || freebsd

package localfs

import (
	"errors"
	"io/fs"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
)

// Mknod implements [vfs.Mknoder], but for sockets: here only bind(2) makes those. The
// number of a device is the one that stat(2) tells.
func (d *dir) Mknod(name string, mode fs.FileMode, dev uint64) error {
	if err := checkEntry("mknod", name); err != nil {
		return err
	}
	var m uint32
	switch mode.Type() {
	case fs.ModeNamedPipe:
		m, dev = unix.S_IFIFO, 0
	case fs.ModeSocket:
		return pathError("mknod", name, errors.ErrUnsupported)
	case fs.ModeDevice | fs.ModeCharDevice:
		m = unix.S_IFCHR
	case fs.ModeDevice:
		m = unix.S_IFBLK
	default:
		return pathError("mknod", name, unix.EINVAL)
	}
	return pathError("mknod", name, sys.Mknodat(d.fd, name, m|uint32(mode.Perm()), dev))
}
