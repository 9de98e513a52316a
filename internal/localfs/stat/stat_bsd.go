//go:build darwin || freebsd

package stat

import (
	"time"

	"golang.org/x/sys/unix"
)

// birth returns the creation time. A file system without creation times reports 0, or -1 on FreeBSD.
func birth(st *unix.Stat_t) time.Time {
	if t := st.Btim; t.Nsec != 0 || t.Sec != 0 && t.Sec != -1 {
		return time.Unix(t.Unix())
	}
	return time.Time{}
}

// flagsOf returns the flags that chflags(2) sets.
func flagsOf(st *unix.Stat_t) uint32 { return st.Flags }
