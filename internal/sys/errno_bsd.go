//go:build darwin || freebsd

package sys

import "golang.org/x/sys/unix"

// RemoteIO is EIO: this system has no separate error for I/O errors of a server.
const RemoteIO = unix.EIO
