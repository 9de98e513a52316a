// Package stat converts between the attributes of entries as system calls have them and those of package vfs.
package stat

import (
	"io/fs"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// Attr converts the result of stat(2).
func Attr(st *unix.Stat_t) vfs.Attr {
	return vfs.Attr{
		Mode:   FileMode(uint32(st.Mode)),
		Size:   st.Size,
		Blocks: int64(st.Blocks),
		UID:    st.Uid,
		GID:    st.Gid,
		Atime:  time.Unix(st.Atim.Unix()),
		Mtime:  time.Unix(st.Mtim.Unix()),
		Ctime:  vfs.Stamp(st.Ctim.Nano()),
		Dev:    uint64(st.Dev),
		Ino:    st.Ino,
		Nlink:  uint64(st.Nlink),
		Rdev:   uint64(st.Rdev),
		Btime:  birth(st),
		Flags:  flagsOf(st),
	}
}

// FileMode converts a mode as stat(2) reports it.
func FileMode(m uint32) fs.FileMode {
	var mode fs.FileMode
	switch m & unix.S_IFMT {
	case unix.S_IFREG:
	case unix.S_IFDIR:
		mode = fs.ModeDir
	case unix.S_IFLNK:
		mode = fs.ModeSymlink
	case unix.S_IFIFO:
		mode = fs.ModeNamedPipe
	case unix.S_IFSOCK:
		mode = fs.ModeSocket
	case unix.S_IFCHR:
		mode = fs.ModeDevice | fs.ModeCharDevice
	case unix.S_IFBLK:
		mode = fs.ModeDevice
	default:
		mode = fs.ModeIrregular
	}
	return vfs.WithUnixMode(mode, m)
}

// SpecialType returns the type bits for mknod(2) of a fifo, socket or device, and the
// number of the device, or 0 for a fifo or socket.
func SpecialType(mode fs.FileMode, dev uint64) (m uint32, _ uint64, err error) {
	switch mode.Type() {
	case fs.ModeNamedPipe:
		return unix.S_IFIFO, 0, nil
	case fs.ModeSocket:
		return unix.S_IFSOCK, 0, nil
	case fs.ModeDevice | fs.ModeCharDevice:
		return unix.S_IFCHR, dev, nil
	case fs.ModeDevice:
		return unix.S_IFBLK, dev, nil
	}
	return 0, 0, unix.EINVAL
}
