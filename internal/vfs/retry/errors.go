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
	syscall.EBADF, // NFS 4, for a file that was open when the server was started again, and cannot be opened anew
}

// isOutage reports whether an error is one of an outage of the volume that has not been dealt with.
func isOutage(err error) bool {
	no, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains(outages, no) && !isDealtWith(err)
}

// isDenied reports whether an error says that access is denied. A server says so of everything while it exports nothing
// to this client, as when it has been started and not been told yet what to export.
func isDenied(err error) bool { return errors.Is(err, syscall.EACCES) && !isDealtWith(err) }

// mayBeOutage reports whether an error may be due to an outage. Then the call may have succeeded: if an answer is lost,
// the client asks again, and what it gets is the answer to that.
func mayBeOutage(err error) bool { return isOutage(err) || isDenied(err) }

// isDealtWith reports whether the volume was waited for after an error.
func isDealtWith(err error) bool {
	return errors.As(err, new(*vfs.LostError)) || errors.As(err, new(*vfs.OutageError))
}

// isStale reports whether an error says that a handle has become useless.
func isStale(err error) bool {
	return errors.Is(err, syscall.ESTALE) || errors.Is(err, syscall.EBADF)
}

// mayBeOfEntry reports whether an error may have its cause in the entry alone.
func mayBeOfEntry(err error) bool {
	return errors.Is(err, syscall.EIO) || errors.Is(err, sys.RemoteIO) || errors.Is(err, syscall.EBADF) || isDenied(err)
}

// errno returns the error number that err wraps, or err.
func errno(err error) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok {
		return no
	}
	return err
}
