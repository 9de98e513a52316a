//go:build darwin || freebsd

package sys

import "golang.org/x/sys/unix"

// RemoteIO is EIO, since this system has no error of its own for that of a server.
const RemoteIO = unix.EIO
