package trusted

import (
	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
)

// readLink reads a symbolic link, or returns EINVAL if the entry is something else. It opens the link
// first, so that owner and target are those of the same link.
func readLink(at int, name string) (symlink, error) {
	fd, err := sys.Openat(at, name, unix.O_PATH|unix.O_NOFOLLOW, 0)
	if err != nil {
		return symlink{}, err
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := sys.Fstat(fd, &st); err != nil {
		return symlink{}, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFLNK {
		return symlink{}, unix.EINVAL
	}
	l := symlink{attr: stat.Attr(&st)}
	var fsys unix.Statfs_t
	err = sys.IgnoringEINTR(func() error { return unix.Fstatfs(fd, &fsys) })
	l.magic = fsys.Type == unix.PROC_SUPER_MAGIC
	if err == nil {
		l.target, err = sys.Readlinkat(fd, "")
	}
	return l, err
}
