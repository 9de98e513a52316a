package sys

import "golang.org/x/sys/unix"

// PreadUncached is Pread that leaves nothing in the page cache that was not there. Where the kernel (before Linux 6.14)
// or the file system cannot do that, it reads nothing, and the error is EOPNOTSUPP.
func PreadUncached(fd int, p []byte, off int64) (int, error) {
	return IgnoringEINTR2(func() (int, error) { return unix.Preadv2(fd, [][]byte{p}, off, unix.RWF_DONTCACHE) })
}

// PwriteUncached is Pwrite that has what is written leave the page cache once it is stored. Otherwise it is like
// PreadUncached.
func PwriteUncached(fd int, p []byte, off int64) (int, error) {
	return IgnoringEINTR2(func() (int, error) { return unix.Pwritev2(fd, [][]byte{p}, off, unix.RWF_DONTCACHE) })
}

// IsCached reports whether pages of a file are, or may be, in the page cache. Kernels before Linux 6.5 do not tell.
func IsCached(fd int) bool {
	var found unix.Cachestat_t
	err := IgnoringEINTR(func() error { return unix.Cachestat(uint(fd), &unix.CachestatRange{}, &found, 0) })
	return err != nil || found.Cache > 0
}

// StartWriteback has the system begin to store n bytes at off. It does not wait.
func StartWriteback(fd int, off, n int64) error {
	return syncFileRange(fd, off, n, unix.SYNC_FILE_RANGE_WRITE)
}

// AwaitWriteback has the system store n bytes at off, and waits for that. It returns an error of storing that nothing
// else will return.
func AwaitWriteback(fd int, off, n int64) error {
	return syncFileRange(fd, off, n, unix.SYNC_FILE_RANGE_WAIT_BEFORE|unix.SYNC_FILE_RANGE_WRITE|unix.SYNC_FILE_RANGE_WAIT_AFTER)
}

func syncFileRange(fd int, off, n int64, flags int) error {
	err := IgnoringEINTR(func() error { return unix.SyncFileRange(fd, off, n, flags) })
	if err == unix.ENOSYS || err == unix.ESPIPE { // the system does this in its own time
		return nil
	}
	return err
}

// DropCached drops the pages of n bytes at off from the page cache, but those that are not stored yet.
func DropCached(fd int, off, n int64) { _ = unix.Fadvise(fd, off, n, unix.FADV_DONTNEED) }
