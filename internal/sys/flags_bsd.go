//go:build darwin || freebsd

package sys

import "golang.org/x/sys/unix"

// UtimeOmit in place of nanoseconds leaves a time as it is. The value is that of
// both systems' sys/stat.h; x/sys lacks it.
const UtimeOmit = -2

// OSearch opens a directory to go on from there. x/sys lacks O_SEARCH, so that the
// directory has to be readable.
const OSearch = unix.O_RDONLY
