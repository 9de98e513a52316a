package sys

import "golang.org/x/sys/unix"

// UtimeOmit in place of nanoseconds leaves a time unchanged.
const UtimeOmit = unix.UTIME_OMIT

// ONoatime is the open flag that makes reading leave access times unchanged. Only the owner of a file may use it.
const ONoatime = unix.O_NOATIME

// CanLeaveAtimes reports whether reading can leave access times unchanged.
const CanLeaveAtimes = true

// OSearch is the open flag for a directory that is used only to open entries below it. The directory need not
// be readable.
const OSearch = unix.O_PATH

// RemoteIO is the error that a file system returns if its server reported EIO.
const RemoteIO = unix.EREMOTEIO
