package retry

import (
	"errors"
	"slices"
	"syscall"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// outages are the errors by which network file systems say that they cannot reach their server.
var outages = []syscall.Errno{
	syscall.EIO,                       // soft mounts of NFS that time out
	syscall.ETIMEDOUT,                 // those with softerr
	syscall.EHOSTDOWN, syscall.EAGAIN, // CIFS, while it connects again
	syscall.ECONNABORTED, syscall.EPIPE, // CIFS, for what was on its way when the connection broke
	syscall.ECONNRESET, syscall.ESTALE, sys.RemoteIO,
}

// isOutage reports whether an error may be due to an outage of the volume that has not been dealt with.
func isOutage(err error) bool {
	if err == nil {
		return false
	}
	no, ok := errors.AsType[syscall.Errno](err)
	if !ok || !slices.Contains(outages, no) {
		return false
	}
	return !errors.As(err, new(*vfs.LostError)) && !errors.As(err, new(*vfs.OutageError))
}

// isStale reports whether an error says that a handle has become useless.
func isStale(err error) bool { return errors.Is(err, syscall.ESTALE) }

// mayBeOfEntry reports whether an error may have its cause in the entry alone.
func mayBeOfEntry(err error) bool {
	return errors.Is(err, syscall.EIO) || errors.Is(err, sys.RemoteIO)
}

// errno returns the error number that err wraps, or err.
func errno(err error) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok {
		return no
	}
	return err
}
