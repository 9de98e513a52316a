package localfs

import (
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// StatChange asks for nothing but what it returns. After a file was read, FUSE has
// forgotten its access time only, which would be fetched for a full answer.
func (f *file) StatChange(fresh bool) (vfs.Attr, error) {
	flags := unix.AT_EMPTY_PATH
	if fresh {
		flags |= unix.AT_STATX_FORCE_SYNC
	}
	var st unix.Statx_t
	err := sys.IgnoringEINTR(func() error {
		return unix.Statx(f.fd, "", flags, unix.STATX_SIZE|unix.STATX_MTIME|unix.STATX_CTIME, &st)
	})
	if err != nil {
		return f.Stat() // seccomp filters and old kernels may not know the call
	}
	return vfs.Attr{
		Size:  int64(st.Size),
		Mtime: time.Unix(st.Mtime.Sec, int64(st.Mtime.Nsec)),
		Ctime: vfs.Stamp(st.Ctime.Sec*int64(time.Second) + int64(st.Ctime.Nsec)),
	}, nil
}
