package pagecache

import (
	"golang.org/x/sys/unix"

	"psync/internal/vfs"
)

func advise(fd int, a vfs.Advice) {
	switch a {
	case vfs.NoReuse:
		_ = unix.Fadvise(fd, 0, 0, unix.FADV_NOREUSE)
	case vfs.DontNeed:
		_ = unix.Fadvise(fd, 0, 0, unix.FADV_DONTNEED)
	}
}
