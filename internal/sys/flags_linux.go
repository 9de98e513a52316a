package sys

import "golang.org/x/sys/unix"

// UtimeOmit in place of nanoseconds leaves a time as it is.
const UtimeOmit = unix.UTIME_OMIT

// ONoatime has reading leave access times alone. It is for the owner of a file only.
const ONoatime = unix.O_NOATIME

// CanLeaveAtimes says that reading can leave access times alone.
const CanLeaveAtimes = true

// OSearch opens a directory that needs not be readable, to go on from there.
const OSearch = unix.O_PATH
