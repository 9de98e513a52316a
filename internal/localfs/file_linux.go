package localfs

import (
	"errors"

	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// caps are the optional operations offered on Linux.
const caps = vfs.CanClone | vfs.CanCopyRange | vfs.CanNode | vfs.HasIdentity | vfs.CanOpenCreate |
	vfs.CanMknod | vfs.CanLink | vfs.CanCopyPlain

func (f *file) Clone(src vfs.File) error {
	s, ok := vfs.As[*file](src)
	if !ok {
		return errors.ErrUnsupported
	}
	return callOptional("clone", f.name, func() error { return unix.IoctlFileClone(f.fd, s.fd) })
}

// Fallocate leaves the length as it is: a copy that is killed must not look longer than what was written.
func (f *file) Fallocate(mode vfs.FallocateMode, off, n int64) error {
	flags := uint32(unix.FALLOC_FL_KEEP_SIZE)
	if mode == vfs.PunchHole {
		flags |= unix.FALLOC_FL_PUNCH_HOLE
	}
	return callOptional(string(mode), f.name, func() error { return unix.Fallocate(f.fd, flags, off, n) })
}

// HasWriter requests a read lease, which the system grants only while no process has the file open for
// writing, and releases it at once. If a lease cannot be requested, such as by a user who does not own the
// file, there may be a writer.
func (f *file) HasWriter() bool {
	if _, err := unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return true
	}
	_, _ = unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_UNLCK)
	return false
}

func (d *dir) HasDefaultACL() bool {
	n, err := unix.Fgetxattr(d.fd, "system.posix_acl_default", nil)
	return err == nil && n > 0
}
