package sys

import (
	"time"

	"golang.org/x/sys/unix"
)

// CPUTime returns the processor time that this process has used, in user mode and in the kernel.
func CPUTime() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(unix.TimevalToNsec(u.Utime) + unix.TimevalToNsec(u.Stime))
}
