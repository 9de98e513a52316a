package stat

import (
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// birth returns the zero time: on Linux, stat(2) does not report creation times.
func birth(*unix.Stat_t) time.Time { return time.Time{} }

// flagsOf returns 0: Linux reports flags only through ioctl(2).
func flagsOf(*unix.Stat_t) uint32 { return 0 }

// AttrOfStatx converts the result of statx(2) to what stat(2) would report.
func AttrOfStatx(st *unix.Statx_t) vfs.Attr {
	at := func(t unix.StatxTimestamp) time.Time { return time.Unix(t.Sec, int64(t.Nsec)) }
	return vfs.Attr{
		Mode:   FileMode(uint32(st.Mode)),
		Size:   int64(st.Size),
		Blocks: int64(st.Blocks),
		UID:    st.Uid,
		GID:    st.Gid,
		Atime:  at(st.Atime),
		Mtime:  at(st.Mtime),
		Ctime:  vfs.Stamp(st.Ctime.Sec*int64(time.Second) + int64(st.Ctime.Nsec)),
		Dev:    unix.Mkdev(st.Dev_major, st.Dev_minor),
		Ino:    st.Ino,
		Nlink:  uint64(st.Nlink),
		Rdev:   unix.Mkdev(st.Rdev_major, st.Rdev_minor),
	}
}
