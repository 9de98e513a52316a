// Package outcome says what the error of a call to a volume or host may mean: whether it is due to an outage, and whether
// the call was carried out all the same.
package outcome

import (
	"errors"
	"fmt"
	"slices"
	"syscall"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// outages are the errors that network file systems return when they cannot reach their server.
var outages = []syscall.Errno{
	syscall.EIO,                       // soft NFS mounts that time out
	syscall.ETIMEDOUT,                 // those with softerr
	syscall.EHOSTDOWN, syscall.EAGAIN, // CIFS, while it reconnects
	syscall.ECONNABORTED, syscall.EPIPE, // CIFS, for what was in flight when the connection broke
	syscall.ECONNRESET, syscall.ESTALE, sys.RemoteIO,
	syscall.EBADF, // NFS 4, for a file that was open when the server restarted and cannot be reopened
}

// IsOutage reports whether an error shows an outage of the volume that has not been dealt with.
func IsOutage(err error) bool {
	if IsLost(err) {
		return true
	}
	no, ok := errors.AsType[syscall.Errno](err)
	return ok && slices.Contains(outages, no) && !wasWaitedFor(err)
}

// IsLost reports whether an error says that the connection to a host is lost, or that the volume was given up, which
// volume.await knows.
func IsLost(err error) bool {
	return errors.As(err, new(*vfs.LostError))
}

// IsDenied reports whether an error says that access is denied. A server denies access to everything while it exports
// nothing to this client, as when it has just started and its exports are not set up yet.
func IsDenied(err error) bool { return errors.Is(err, syscall.EACCES) && !wasWaitedFor(err) }

// MayBeOutage reports whether an error may be due to an outage. If so, the call may have succeeded: if a reply is lost,
// the client sends the request again and returns the reply to the second one.
func MayBeOutage(err error) bool { return IsOutage(err) || IsDenied(err) }

// wasWaitedFor reports whether an error was returned after the volume had been waited for.
func wasWaitedFor(err error) bool {
	return errors.As(err, new(*vfs.LostError)) || errors.As(err, new(*vfs.OutageError))
}

// OutageError returns an error for an outage that is over, in which a call has failed with err.
func OutageError(err error) *vfs.OutageError {
	if lost, ok := errors.AsType[*vfs.LostError](err); ok {
		return &vfs.OutageError{Err: fmt.Errorf("the connection was lost: %w", lost.Err), Lost: true}
	}
	return &vfs.OutageError{Err: err}
}

// IsStale reports whether an error says that a handle has become useless.
func IsStale(err error) bool {
	return errors.Is(err, syscall.ESTALE) || errors.Is(err, syscall.EBADF) || IsLost(err)
}

// MayBeOfEntry reports whether an error may be caused by the entry alone.
func MayBeOfEntry(err error) bool {
	return errors.Is(err, syscall.EIO) || errors.Is(err, sys.RemoteIO) || errors.Is(err, syscall.EBADF) || IsDenied(err)
}

// Errno returns the error number that err wraps, or err.
func Errno(err error) error {
	if no, ok := errors.AsType[syscall.Errno](err); ok {
		return no
	}
	return err
}
