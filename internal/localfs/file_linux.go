package localfs

import (
	"errors"
	"io"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// caps are the optional operations offered on Linux.
const caps = vfs.CanClone | vfs.CanCopyRange | vfs.CanSeekData | vfs.CanPunchHole | vfs.CanPreallocate |
	vfs.CanSync | vfs.CanNode |
	vfs.CanFollow | vfs.CanConfine | vfs.CanOpenParent | vfs.CanRewrite | vfs.CanOpenCreate |
	vfs.CanMknod | vfs.CanLink | vfs.CanMove | vfs.CanSyncVolume

func (f *file) Clone(src vfs.File) error {
	s, ok := vfs.As[*file](src)
	if !ok {
		return errors.ErrUnsupported
	}
	return pathError("clone", f.name, unsupported(sys.Clone(f.fd, s.fd)))
}

func (f *file) CopyRange(src vfs.File, off, n int64) (int64, error) {
	s, ok := vfs.As[*file](src)
	if !ok {
		return 0, errors.ErrUnsupported
	}
	m, err := sys.CopyFileRange(f.fd, s.fd, off, int(n))
	if err != nil {
		return 0, pathError("copy_file_range", f.name, unsupported(err))
	}
	return int64(m), nil
}

func (f *file) NextData(off int64) (start, end int64, err error) {
	start, end, err = sys.NextData(f.fd, off)
	if err == unix.ENXIO {
		return 0, 0, io.EOF
	}
	return start, end, pathError("lseek", f.name, unsupported(err))
}

func (f *file) AdviseSequential() { sys.AdviseSequential(f.fd) }

func (f *file) PunchHole(off, n int64) error {
	return pathError("fallocate", f.name, unsupported(sys.PunchHole(f.fd, off, n)))
}

func (f *file) Preallocate(size int64) error {
	return pathError("preallocate", f.name, unsupported(sys.Preallocate(f.fd, size)))
}

// HasWriter asks for a lease to read the file, which the system grants only while nobody has the
// file open for writing, and gives it back at once. Where that cannot be asked, as by a user who
// does not own the file, there may be a writer.
func (f *file) HasWriter() bool {
	if _, err := unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_RDLCK); err != nil {
		return true
	}
	_, _ = unix.FcntlInt(uintptr(f.fd), unix.F_SETLEASE, unix.F_UNLCK)
	return false
}

func (d *dir) HasDefaultACL() bool { return sys.HasDefaultACL(d.fd) }
