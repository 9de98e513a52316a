package localfs

import (
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
