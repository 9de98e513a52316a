package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// openDirWithin opens a directory that is no mount point. Where the kernel cannot detect mount points, it
// compares device numbers.
func (d *dir) openDirWithin(name string) (vfs.Dir, error) {
	flags := uint64(0)
	if d.noatime {
		flags = sys.ONoatime
	}
	fd, err := sys.OpenDirWithin(d.fd, name, flags)
	if err == unix.EPERM && flags != 0 { // only its owner may request that access times stay unchanged
		fd, err = sys.OpenDirWithin(d.fd, name, 0)
	}
	switch err {
	case nil:
		return &dir{fd: fd, noatime: d.noatime, checksLinks: d.checksLinks}, nil
	case unix.EXDEV:
		return nil, vfs.PathError("open", name, vfs.ErrMount)
	case unix.ENOSYS, unix.EPERM, unix.EINVAL: // an old kernel, or a filter that does not know the call
		return d.openDirOfDevice(name)
	}
	return nil, vfs.PathError("open", name, err)
}

func (d *dir) openDirOfDevice(name string) (vfs.Dir, error) {
	sub, err := d.OpenDir(name, vfs.NoFollow)
	if err != nil {
		return nil, err
	}
	here, err := vfs.Lstat(d, ".")
	if err == nil {
		var there vfs.Attr
		if there, err = vfs.Lstat(sub, "."); err == nil && there.Dev != here.Dev {
			err = vfs.PathError("open", name, vfs.ErrMount)
		}
	}
	if err != nil {
		sub.Close()
		return nil, err
	}
	return sub, nil
}
