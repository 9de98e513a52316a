package pagecache

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
)

// preadUncached is [sys.Pread] without adding pages to the page cache. If the kernel (before Linux 6.14) or the file system
// does not support that, it reads nothing and returns EOPNOTSUPP.
func preadUncached(fd int, p []byte, off int64) (int, error) {
	return sys.IgnoringEINTR2(func() (int, error) { return unix.Preadv2(fd, [][]byte{p}, off, unix.RWF_DONTCACHE) })
}

// pwriteUncached is [sys.Pwrite], except that the written pages leave the page cache once they are on the disk. If
// that is not supported, it writes nothing and returns EOPNOTSUPP.
func pwriteUncached(fd int, p []byte, off int64) (int, error) {
	return sys.IgnoringEINTR2(func() (int, error) { return unix.Pwritev2(fd, [][]byte{p}, off, unix.RWF_DONTCACHE) })
}

// isCached reports whether pages of a file may be in the page cache. It returns true on kernels before Linux 6.5,
// which cannot say.
func isCached(fd int) bool {
	var found unix.Cachestat_t
	err := sys.IgnoringEINTR(func() error { return unix.Cachestat(uint(fd), &unix.CachestatRange{}, &found, 0) })
	return err != nil || found.Cache > 0
}

// startWriteback starts writing n bytes at off to the disk, without waiting.
func startWriteback(fd int, off, n int64) error {
	return syncFileRange(fd, off, n, unix.SYNC_FILE_RANGE_WRITE)
}

// awaitWriteback writes n bytes at off to the disk and waits for the result. No later call returns the same write
// error again.
func awaitWriteback(fd int, off, n int64) error {
	return syncFileRange(fd, off, n, unix.SYNC_FILE_RANGE_WAIT_BEFORE|unix.SYNC_FILE_RANGE_WRITE|unix.SYNC_FILE_RANGE_WAIT_AFTER)
}

func syncFileRange(fd int, off, n int64, flags int) error {
	err := sys.IgnoringEINTR(func() error { return unix.SyncFileRange(fd, off, n, flags) })
	if err == unix.ENOSYS || err == unix.ESPIPE { // the system writes the pages in its own time
		return nil
	}
	return err
}

// dropCached drops the clean pages of n bytes at off from the page cache.
func dropCached(fd int, off, n int64) { _ = unix.Fadvise(fd, off, n, unix.FADV_DONTNEED) }
