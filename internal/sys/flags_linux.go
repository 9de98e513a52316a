package sys

import "golang.org/x/sys/unix"

// UtimeOmit in place of nanoseconds leaves a time as it is.
const UtimeOmit = unix.UTIME_OMIT

// OSearch opens a directory that needs not be readable, to go on from there.
const OSearch = unix.O_PATH
