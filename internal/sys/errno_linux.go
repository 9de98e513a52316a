package sys

import "golang.org/x/sys/unix"

// RemoteIO is the error that a file system returns if its server reported EIO.
const RemoteIO = unix.EREMOTEIO
