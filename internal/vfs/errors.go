package vfs

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
)

// PathError returns err as the error of an operation on the entry at path, or nil if err is nil.
func PathError(op, path string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: path, Err: err}
}

// IgnoreNotExist returns err unless it says that an entry does not exist.
func IgnoreNotExist(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// JoinErrors joins two errors, either of which may be nil, as when a file is closed after a failure. Unlike
// [errors.Join], it returns a single error unchanged, and returns only err if that already wraps the other.
func JoinErrors(err, also error) error {
	switch {
	case also == nil:
		return err
	case err == nil:
		return also
	case errors.Is(err, also):
		return err
	}
	return errors.Join(err, also)
}

// An OutageError says that an outage of a volume, which is over, may have affected an open file: what was written to it
// may be lost, or the file itself. The file must be opened again and copied from the start.
type OutageError struct {
	Err  error
	Lost bool // the connection to the host was lost
}

func (e *OutageError) Error() string { return e.Err.Error() }

func (e *OutageError) Unwrap() error { return e.Err }

// A LostError says that the connection to a host, or a volume, is lost: nothing more can be done with its files.
type LostError struct {
	Host string
	Err  error // why
	// Final says that the host was given up, so there is no use in connecting again.
	Final bool
}

func (e *LostError) Error() string {
	return fmt.Sprintf("%s: the connection is lost: %v", e.Host, e.Err)
}

func (e *LostError) Unwrap() error { return e.Err }

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
