package sys

import "golang.org/x/sys/unix"

// RemoteIO is the error by which a file system passes on that its server had EIO.
const RemoteIO = unix.EREMOTEIO
