package pagecache

import (
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// behind is how many bytes of a file may be waiting to be stored when this package drops them from the page cache
// itself. Allowing fewer would leave the disk idle.
const behind = 8 << 20

// A Use says how an open file uses the page cache. The zero value leaves that to the system.
type Use struct {
	method atomic.Uint32
	once   sync.Once
	reads  bool // drop what is read: nothing of the file was cached before
}

// The values of method.
const (
	keep       = iota // the system decides what it keeps
	dropByCall        // each call asks the system to drop what it reads or writes
	dropByHand        // what was read or written is dropped afterwards
)

// Advise implements the method of [vfs.File] for a file, whose name is for errors. For DontNeed, fsync(2) would also
// make the volume commit its journal and flush the disk.
func (u *Use) Advise(fd int, name string, a vfs.Advice) error {
	switch a {
	case vfs.Sequential:
		_ = unix.Fadvise(fd, 0, 0, unix.FADV_SEQUENTIAL)
	case vfs.NoReuse:
		u.method.Store(dropByCall)
	case vfs.DontNeed:
		if err := awaitWriteback(fd, 0, 0); err != nil { // 0 bytes: all
			return vfs.PathError("sync_file_range", name, err)
		}
		dropCached(fd, 0, 0)
	}
	return nil
}

// setByHand has cached data dropped by Pread and Pwrite themselves, because the system does not.
func (u *Use) setByHand(fd int) {
	u.once.Do(func() {
		u.reads = !isCached(fd)
		u.method.Store(dropByHand)
	})
}

// uncached makes a call that bypasses the cache. If the kernel or the file system cannot do that, the error is EOPNOTSUPP.
func (u *Use) uncached(fd int, call func(fd int, p []byte, off int64) (int, error), p []byte, off int64) (int, error) {
	if u.method.Load() == dropByHand {
		return 0, unix.EOPNOTSUPP
	}
	n, err := call(fd, p, off)
	if err == unix.EOPNOTSUPP || err == unix.ENOSYS {
		u.setByHand(fd)
		err = unix.EOPNOTSUPP
	}
	return n, err
}

// Pread makes one call of pread(2) or a variant of it.
func (u *Use) Pread(fd int, p []byte, off int64) (int, error) {
	if u.method.Load() == keep {
		return sys.Pread(fd, p, off)
	}
	n, err := u.uncached(fd, preadUncached, p, off)
	if err != unix.EOPNOTSUPP {
		return n, err
	}
	n, err = sys.Pread(fd, p, off)
	if n > 0 && u.reads {
		drop(fd, off+int64(n))
	}
	return n, err
}

// Pwrite makes one call of pwrite(2) or a variant of it.
func (u *Use) Pwrite(fd int, p []byte, off int64) (int, error) {
	if u.method.Load() == keep {
		return sys.Pwrite(fd, p, off)
	}
	n, err := u.uncached(fd, pwriteUncached, p, off)
	if err != unix.EOPNOTSUPP {
		return n, err
	}
	n, err = sys.Pwrite(fd, p, off)
	if n <= 0 || err != nil {
		return n, err
	}
	if err := startWriteback(fd, off, int64(n)); err != nil {
		return n, err
	}
	if before := off - behind; before >= 0 {
		err = awaitWriteback(fd, before, int64(n))
		drop(fd, before+int64(n))
	}
	return n, err
}

// drop drops what lies before end and was not dropped yet. The kernel keeps several pages in one folio, which it drops
// only as a whole, so drop includes some of what was dropped before.
func drop(fd int, end int64) {
	start := max(0, end-behind)
	dropCached(fd, start, end-start)
}

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
