//go:build darwin || freebsd

package sys

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// UtimeOmit in place of nanoseconds leaves a time unchanged. Both systems have the same value in sys/stat.h;
// x/sys lacks it.
const UtimeOmit = -2

// ONoatime has no effect: no open flag makes reading leave access times unchanged on this system.
const ONoatime = 0

// CanLeaveAtimes reports whether reading can leave access times unchanged. On macOS, this is set for the
// whole process.
const CanLeaveAtimes = runtime.GOOS == "darwin"

// OSearch is the open flag for a directory that is used only to open entries below it. x/sys lacks O_SEARCH,
// so the directory has to be readable.
const OSearch = unix.O_RDONLY

// RemoteIO is EIO: this system has no separate error for I/O errors of a server.
const RemoteIO = unix.EIO
