package localfs

import (
	"errors"
	"io"
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/pagecache"
	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// file implements [vfs.File].
type file struct {
	vfs.UnsupportedFile
	fd    int
	name  string
	cache pagecache.Use
}

func (f *file) Caps() vfs.Caps { return caps }

func (f *file) stat() (vfs.Attr, error) {
	var st unix.Stat_t
	if err := sys.Fstat(f.fd, &st); err != nil {
		return vfs.Attr{}, vfs.PathError("stat", f.name, err)
	}
	return stat.Attr(&st), nil
}

func (f *file) ReadAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		m, err := f.cache.Pread(f.fd, p[n:], off+int64(n))
		if err != nil {
			return n, vfs.PathError("read", f.name, err)
		}
		if m == 0 {
			return n, io.EOF
		}
		n += m
	}
	return n, nil
}

func (f *file) WriteAt(p []byte, off int64) (n int, err error) {
	for n < len(p) {
		m, err := f.cache.Pwrite(f.fd, p[n:], off+int64(n))
		if err != nil {
			return n, vfs.PathError("write", f.name, err)
		}
		if m == 0 {
			return n, vfs.PathError("write", f.name, io.ErrShortWrite)
		}
		n += m
	}
	return n, nil
}

// Advise implements [vfs.File].
func (f *file) Advise(a vfs.Advice) error { return f.cache.Advise(f.fd, f.name, a) }

func (f *file) Truncate(size int64) error {
	return call("truncate", f.name, func() error { return unix.Ftruncate(f.fd, size) })
}

// Set implements [vfs.Node].
func (f *file) Set(changes []vfs.Change) []error { return vfs.SetEach(changes, f.set) }

func (f *file) set(c *vfs.Change) error {
	switch c.Kind {
	case vfs.OwnerChange:
		return call("chown", f.name, func() error { return unix.Fchown(f.fd, c.UID, c.GID) })
	case vfs.ModeChange:
		return call("chmod", f.name, func() error { return unix.Fchmod(f.fd, vfs.UnixMode(c.Mode)) })
	case vfs.TimesChange:
		return f.chtimes(c.Atime, c.Mtime)
	}
	return f.setExtended(c)
}

func (f *file) chtimes(atime, mtime time.Time) error {
	times, err := timespecs(atime, mtime)
	if err != nil {
		return vfs.PathError("chtimes", f.name, err)
	}
	return vfs.PathError("chtimes", f.name, sys.Futimens(f.fd, &times))
}

// Sync returns when the contents are on the disk. For files that are not on a disk, and so need no sync, it is
// unsupported.
func (f *file) Sync() error {
	return callOptional("fsync", f.name, func() error { return sys.Fdatasync(f.fd) })
}

// Statfs describes the volume that f, a file of this package, is on.
func Statfs(f vfs.File) (vfs.Volume, error) {
	l, ok := vfs.As[*file](f)
	if !ok {
		return vfs.Volume{}, errors.ErrUnsupported
	}
	v, err := sys.Statfs(l.fd)
	return v, vfs.PathError("statfs", l.name, err)
}

func (f *file) Close() error { return vfs.PathError("close", f.name, unix.Close(f.fd)) }

// callOptional makes a system call that not every file system supports, and wraps its error.
func callOptional(op, name string, f func() error) error {
	return vfs.PathError(op, name, unsupported(sys.IgnoringEINTR(f)))
}

// unsupported marks errors that say that a file system, or a pair of file systems, lacks an operation, rather than that
// this call failed.
func unsupported(err error) error {
	switch err {
	case unix.EXDEV, // two file systems
		unix.EOPNOTSUPP, unix.ENOSYS, // no such operation, or not in this kernel
		unix.ENOTTY, // an unknown ioctl
		unix.EINVAL, // not for this kind of file; FICLONE on file systems without it
		unix.EPERM,  // seccomp filters that do not know the call
		unix.EBADF:  // copy_file_range on kernels that check it so
		return marked(err)
	}
	return err
}
