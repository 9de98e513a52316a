package localfs

import (
	"errors"

	"psync/internal/landlock"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// ErrNetworkDir says that changes beneath a directory of a network file system cannot be allowed: the kernel identifies
// a directory by its inode, and a directory that was reopened because its handle was stale may have another inode.
var ErrNetworkDir = errors.New("directories of a network file system may be others when its server has been away")

// AllowChange makes l allow changes beneath d. The error may be [ErrNetworkDir]; if d is not a directory of this
// package, it matches [errors.ErrUnsupported].
func AllowChange(l *landlock.Ruleset, d vfs.Dir, c landlock.Change) error {
	local, ok := vfs.As[*dir](d)
	if !ok {
		return errors.ErrUnsupported
	}
	v, err := sys.Statfs(local.fd)
	if err == nil && v.Network {
		err = ErrNetworkDir
	}
	if err != nil {
		return err
	}
	return l.Allow(local.fd, c)
}
