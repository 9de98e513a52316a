package localfs

import (
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// ID implements [vfs.File]: a network file system is not asked.
func (f *file) ID() (vfs.ID, error) {
	id, err := identity(f.fd, "", unix.AT_EMPTY_PATH)
	return id, pathError("stat", f.name, err)
}

// IDOf implements [vfs.Dir].
func (d *dir) IDOf(name string) (vfs.ID, error) {
	if err := checkEntry("lstat", name); err != nil {
		return vfs.ID{}, err
	}
	id, err := identity(d.fd, name, unix.AT_SYMLINK_NOFOLLOW)
	return id, pathError("lstat", name, err)
}

// identity returns what stat(2) would, and answers from the cache if it can.
func identity(fd int, name string, flags int) (vfs.ID, error) {
	var st unix.Statx_t
	err := sys.IgnoringEINTR(func() error {
		return unix.Statx(fd, name, flags|unix.AT_STATX_DONT_SYNC, unix.STATX_INO, &st)
	})
	if err != nil {
		return vfs.ID{}, err
	}
	return vfs.ID{Dev: unix.Mkdev(st.Dev_major, st.Dev_minor), Ino: st.Ino}, nil
}

// StatChange asks for nothing but what it returns. After a file was read, FUSE has
// forgotten its access time only, which would be fetched for a full answer.
func (f *file) StatChange(fresh bool) (vfs.Attr, error) {
	flags := unix.AT_EMPTY_PATH
	if fresh {
		flags |= unix.AT_STATX_FORCE_SYNC
	}
	var st unix.Statx_t
	err := sys.IgnoringEINTR(func() error {
		return unix.Statx(f.fd, "", flags, unix.STATX_SIZE|unix.STATX_MTIME|unix.STATX_CTIME, &st)
	})
	if err != nil {
		return f.Stat() // seccomp filters and old kernels may not know the call
	}
	return vfs.Attr{
		Size:  int64(st.Size),
		Mtime: time.Unix(st.Mtime.Sec, int64(st.Mtime.Nsec)),
		Ctime: vfs.Stamp(st.Ctime.Sec*int64(time.Second) + int64(st.Ctime.Nsec)),
	}, nil
}
