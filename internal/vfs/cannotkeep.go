package vfs

import (
	"errors"
	"syscall"
)

// CannotKeep reports whether an error of setting an attribute, or of making a special file, means that the
// volume does not support the operation or that this user is not permitted to do it. The entry is then copied
// without the attribute. Any other error, such as EIO, ENOSPC or EACCES, may be temporary, and fails the entry.
func CannotKeep(err error) bool {
	if errors.Is(err, errors.ErrUnsupported) {
		// The operation is not supported by this vfs, by the file system (ENOTSUP, EOPNOTSUPP), or by the kernel or a
		// FUSE server (ENOSYS). For ENOTTY of an ioctl, localfs returns ErrUnsupported as well.
		return true
	}
	switch errno, _ := errors.AsType[syscall.Errno](err); errno {
	case syscall.EPERM, // chown by a user, or by root where the server squashes root; chmod on vfat; mknod on CIFS
		// An owner that is not mapped in the user namespace, or that the NFS 4 server does not know;
		// mknod on FAT on macOS.
		syscall.EINVAL:
		return true
	}
	return false
}
