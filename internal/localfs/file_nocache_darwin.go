package localfs

import "golang.org/x/sys/unix"

// BypassCache implements [vfs.File]. It is a hint, so it does not matter whether the file
// system takes it.
func (f *file) BypassCache() { _, _ = unix.FcntlInt(uintptr(f.fd), unix.F_NOCACHE, 1) }
