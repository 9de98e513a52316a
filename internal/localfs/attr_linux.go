package localfs

import (
	"time"

	"golang.org/x/sys/unix"
)

// birth returns the zero time: on Linux, stat(2) does not report creation times.
func birth(*unix.Stat_t) time.Time { return time.Time{} }

// flagsOf returns 0: Linux reports flags only through ioctl(2).
func flagsOf(*unix.Stat_t) uint32 { return 0 }
