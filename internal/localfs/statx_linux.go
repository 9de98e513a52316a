package localfs

import (
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// identify returns the identity of an entry, without asking a server.
func (d *dir) identify(name string) (vfs.Attr, error) {
	if err := checkEntry("lstat", name); err != nil {
		return vfs.Attr{}, err
	}
	id, err := identity(d.fd, name, unix.AT_SYMLINK_NOFOLLOW)
	return vfs.Attr{Dev: id.Dev, Ino: id.Ino}, vfs.PathError("lstat", name, err)
}

// lstatFresh asks a server even if the answer is cached.
func (d *dir) lstatFresh(name string) (vfs.Attr, error) {
	if err := check("lstat", name); err != nil {
		return vfs.Attr{}, err
	}
	at, flags := name, unix.AT_SYMLINK_NOFOLLOW
	if name == "." {
		at, flags = "", unix.AT_EMPTY_PATH
	}
	var st unix.Statx_t
	err := sys.IgnoringEINTR(func() error {
		return unix.Statx(d.fd, at, flags|unix.AT_STATX_FORCE_SYNC, unix.STATX_BASIC_STATS, &st)
	})
	switch err {
	case nil:
		return stat.AttrOfStatx(&st), nil
	case unix.ENOSYS, unix.EPERM, unix.EINVAL: // from old kernels, and seccomp filters that do not know the call
		return d.stat("lstat", name, false)
	}
	return vfs.Attr{}, vfs.PathError("lstat", name, err)
}

// identity returns the identity that stat(2) would report, from the cache if possible.
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

// Statx implements [vfs.File]. It asks only for what it returns, and for the identity not a server. After a file was
// read, FUSE has dropped only its access time, which would have to be fetched for a full answer.
func (f *file) Statx(want vfs.StatxWant) (vfs.Attr, error) {
	flags := unix.AT_EMPTY_PATH
	switch want {
	case vfs.StatxAll:
		return f.stat()
	case vfs.StatxID:
		id, err := identity(f.fd, "", flags)
		if err != nil {
			return f.stat()
		}
		return vfs.Attr{Dev: id.Dev, Ino: id.Ino}, nil
	case vfs.StatxFresh:
		flags |= unix.AT_STATX_FORCE_SYNC
	}
	var st unix.Statx_t
	err := sys.IgnoringEINTR(func() error {
		return unix.Statx(f.fd, "", flags, unix.STATX_SIZE|unix.STATX_MTIME|unix.STATX_CTIME, &st)
	})
	if err != nil {
		return f.stat() // seccomp filters and old kernels may not know the call
	}
	return vfs.Attr{
		Size:  int64(st.Size),
		Mtime: time.Unix(st.Mtime.Sec, int64(st.Mtime.Nsec)),
		Ctime: vfs.Stamp(st.Ctime.Sec*int64(time.Second) + int64(st.Ctime.Nsec)),
	}, nil
}
