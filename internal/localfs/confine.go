package localfs

import (
	"errors"

	"psync/internal/sys"
	"psync/internal/vfs"
)

var errNetworkDir = errors.New("directories of a network file system may be others when its server has been away")

// AllowChange has l allow changes beneath d. On a network file system, that is an error: the kernel knows a directory by its inode,
// and a directory that a stale handle has had opened again may have another one. If d is none of this package's
// directories, the error matches [errors.ErrUnsupported].
func AllowChange(l *sys.Landlock, d vfs.Dir, c sys.Change) error {
	local, ok := vfs.As[*dir](d)
	if !ok {
		return errors.ErrUnsupported
	}
	v, err := sys.Statfs(local.fd)
	if err == nil && v.Network {
		err = errNetworkDir
	}
	if err != nil {
		return err
	}
	return l.Allow(local.fd, c)
}
