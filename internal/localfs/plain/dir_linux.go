package plain

import (
	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// CopyDir copies the open directory fd, if it is empty, to name in the directory dirfd, as CopyPlain of [vfs.Dir] does. It
// does not open the directory that it makes, since it makes no entries there.
func CopyDir(fd, dirfd int, name string, o *vfs.PlainOptions) error {
	var st unix.Stat_t
	if sys.Fstat(fd, &st) != nil || !isPlainDir(fd, &st, o) || !isEmpty(fd) {
		return vfs.ErrNotPlain
	}
	if err := sys.IgnoringEINTR(func() error { return unix.Mkdirat(dirfd, name, st.Mode&0o777) }); err != nil {
		return vfs.PathError("mkdir", name, err)
	}
	if !o.Dir.Mtime && !o.Atime {
		return nil
	}
	times := [2]unix.Timespec{st.Atim, st.Mtim}
	if !o.Atime {
		times[0].Nsec = sys.UtimeOmit
	}
	err := sys.IgnoringEINTR(func() error { return unix.UtimesNanoAt(dirfd, name, times[:], unix.AT_SYMLINK_NOFOLLOW) })
	if err != nil {
		return &vfs.PartialError{Err: vfs.PathError("chtimes", name, err)}
	}
	return nil
}

// isPlainDir reports whether the open directory fd is plain and may be empty: on most file systems, the link count
// shows whether there are subdirectories.
func isPlainDir(fd int, st *unix.Stat_t, o *vfs.PlainOptions) bool {
	a := stat.Attr(st)
	return st.Mode&^0o777 == unix.S_IFDIR && st.Mode&uint32(o.Umask) == 0 && st.Nlink <= 2 &&
		a.Dev == o.Dir.Dev && !o.Dir.Except(a.ID()) &&
		(!o.Dir.Mtime && !o.Atime || vfs.UsualTime(int64(st.Mtim.Sec))) &&
		(!o.Atime || vfs.UsualTime(int64(st.Atim.Sec))) &&
		(!o.Owned || st.Uid == o.UID && st.Gid == o.GID) &&
		!(o.Dir.NoXattrs && hasXattrs(fd, "", o.IgnoresXattr))
}

// isEmpty reports whether the open directory fd is known to be empty.
func isEmpty(fd int) bool {
	var buf [1024]byte // more than an entry with the longest name takes
	for {
		n, err := sys.Getdents(fd, buf[:])
		if err != nil || n == 0 {
			return err == nil
		}
		for e, rest, ok := sys.NextDirent(buf[:n]); ok; e, rest, ok = sys.NextDirent(rest) {
			if string(e.Name) != "." && string(e.Name) != ".." {
				return false
			}
		}
	}
}
