//go:build darwin || freebsd

package sys

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// UtimeOmit in place of nanoseconds leaves a time as it is. The value is that of
// both systems' sys/stat.h; x/sys lacks it.
const UtimeOmit = -2

// ONoatime has no effect: no flag has reading leave access times alone here.
const ONoatime = 0

// CanLeaveAtimes says that reading can leave access times alone. On macOS that is set for
// the whole process.
const CanLeaveAtimes = runtime.GOOS == "darwin"

// OSearch opens a directory to go on from there. x/sys lacks O_SEARCH, so that the
// directory has to be readable.
const OSearch = unix.O_RDONLY
