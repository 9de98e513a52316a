package localfs

import (
	"time"

	"golang.org/x/sys/unix"
)

// birth returns the zero time: stat(2) does not tell it here.
func birth(*unix.Stat_t) time.Time { return time.Time{} }

// flagsOf returns 0: those that Linux has are for ioctl(2) to tell.
func flagsOf(*unix.Stat_t) uint32 { return 0 }
