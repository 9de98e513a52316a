package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Advise implements [vfs.File].
func (f *file) Advise(a vfs.Advice) error {
	switch a {
	case vfs.NoReuse:
		_ = unix.Fadvise(f.fd, 0, 0, unix.FADV_NOREUSE)
	case vfs.DontNeed:
		if err := sys.IgnoringEINTR(func() error { return unix.Fsync(f.fd) }); err != nil {
			return vfs.PathError("fsync", f.name, err)
		}
		_ = unix.Fadvise(f.fd, 0, 0, unix.FADV_DONTNEED)
	}
	return nil
}
