package localfs

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
)

// BypassCache implements [vfs.File].
func (f *file) BypassCache() { _ = unix.Fadvise(f.fd, 0, 0, unix.FADV_NOREUSE) }

// Uncache implements [vfs.File].
func (f *file) Uncache() error {
	if err := sys.IgnoringEINTR(func() error { return unix.Fsync(f.fd) }); err != nil {
		return pathError("fsync", f.name, err)
	}
	_ = unix.Fadvise(f.fd, 0, 0, unix.FADV_DONTNEED)
	return nil
}
