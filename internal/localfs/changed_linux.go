package localfs

import (
	"time"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// Changed asks for nothing but what it needs. After a file was read, FUSE has forgotten
// its time of access only, which would be fetched for a full answer.
func (f *file) Changed(was vfs.Attr) (bool, error) {
	var st unix.Statx_t
	err := sys.IgnoringEINTR(func() error {
		return unix.Statx(f.fd, "", unix.AT_EMPTY_PATH, unix.STATX_SIZE|unix.STATX_MTIME, &st)
	})
	if err != nil {
		now, err := f.Stat() // seccomp filters and old kernels may not know the call
		return now.Size != was.Size || !now.Mtime.Equal(was.Mtime), err
	}
	mtime := time.Unix(st.Mtime.Sec, int64(st.Mtime.Nsec))
	return int64(st.Size) != was.Size || !mtime.Equal(was.Mtime), nil
}
