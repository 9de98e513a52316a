package pagecache

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

// advise leaves in the cache what is already there. It does not matter whether the file system accepts F_NOCACHE.
func advise(fd int, a vfs.Advice) {
	if a != vfs.Sequential {
		_, _ = unix.FcntlInt(uintptr(fd), unix.F_NOCACHE, 1)
	}
}
