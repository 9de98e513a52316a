package localfs

import "golang.org/x/sys/unix"

// BypassCache implements [vfs.File].
func (f *file) BypassCache() { _ = unix.Fadvise(f.fd, 0, 0, unix.FADV_NOREUSE) }
