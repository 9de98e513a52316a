package metadata

import (
	"errors"
	"syscall"
)

// IsUnkeepable reports whether an error of setting an attribute, or of making an entry of some
// type, says that this volume does not have that, or that this user may not do it: then the entry
// is there without it. Any other error, such as EIO, ENOSPC or EACCES, may be gone another
// time, and is a failure of that entry.
func IsUnkeepable(err error) bool {
	if errors.Is(err, errors.ErrUnsupported) {
		// The vfs lacks the ability, or the file system (ENOTSUP, EOPNOTSUPP), or the kernel or a
		// FUSE server (ENOSYS); or localfs has marked what an ioctl answers instead (ENOTTY).
		return true
	}
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return false
	}
	switch errno {
	case syscall.EPERM, // chown by a user, or by a root that the server squashes; chmod on vfat; mknod on CIFS
		syscall.EINVAL: // an owner that a user namespace does not map, or the NFS 4 server does not know
		return true
	}
	return false
}
