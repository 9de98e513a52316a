package localfs

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// lockFlags keep an entry from being changed, renamed and removed.
const lockFlags = unix.UF_IMMUTABLE | unix.UF_APPEND | unix.SF_IMMUTABLE | unix.SF_APPEND | unix.SF_NOUNLINK

const setID = unix.S_ISUID | unix.S_ISGID

// CloneFile implements [vfs.Dir].
//
// The ACL is not cloned, because it may forbid renaming the file to its final name.
func (d *dir) CloneFile(src vfs.File, name string, owner bool) (vfs.File, error) {
	if err := checkEntry("clonefile", name); err != nil {
		return nil, err
	}
	s, ok := vfs.As[*file](src)
	if !ok {
		return nil, vfs.PathError("clonefile", name, errors.ErrUnsupported)
	}
	flags := unix.CLONE_NOFOLLOW
	if !owner {
		flags |= unix.CLONE_NOOWNERCOPY
	}
	err := sys.IgnoringEINTR(func() error { return unix.Fclonefileat(s.fd, d.fd, name, flags) })
	if err != nil {
		return nil, vfs.PathError("clonefile", name, notCloned(err))
	}
	fd, err := d.openCloned(name)
	if err != nil {
		// If the file is copied instead, it is opened before it has the attributes that prevent opening here.
		undone := sys.IgnoringEINTR(func() error { return unix.Unlinkat(d.fd, name, 0) })
		if undone == nil {
			err = marked(err)
		}
		return nil, vfs.PathError("clonefile", name, errors.Join(err, undone))
	}
	return &file{fd: fd, name: name}, nil
}

// openCloned opens a clone, and removes flags that would prevent changing it. It opens
// for reading only: opening for writing decompresses a UF_COMPRESSED file (hfs_vnops.c:474), and
// the calls that set metadata accept either.
func (d *dir) openCloned(name string) (int, error) {
	var st unix.Stat_t
	if err := sys.Lstatat(d.fd, name, &st); err != nil {
		return -1, err
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		return -1, fmt.Errorf("%w: replaced by something else", unix.EEXIST)
	}
	if st.Flags&lockFlags != 0 {
		if err := sys.Lchflagsat(d.fd, name, st.Flags&^lockFlags); err != nil {
			return -1, err
		}
	}
	if st.Mode&setID != 0 {
		if err := sys.Lchmodat(d.fd, name, uint32(st.Mode)&^(unix.S_IFMT|setID)); err != nil {
			return -1, err
		}
	}
	return sys.Openat(d.fd, name, unix.O_RDONLY|unix.O_NOFOLLOW|nonBlocking, 0)
}

// notCloned marks the errors that say that cloning is impossible between these two directories, or for
// this file, rather than that it failed.
func notCloned(err error) error {
	switch err {
	case unix.EXDEV, // two file systems, even of one APFS container
		unix.ENOTSUP, unix.EOPNOTSUPP, // not APFS
		unix.EINVAL: // not a regular file
		return marked(err)
	}
	return err
}
