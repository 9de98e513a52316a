package localfs

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

// A cacheUse says how a file uses the page cache.
type cacheUse struct {
	way   atomic.Uint32
	once  sync.Once
	reads bool // drop what is read: nothing of the file was cached before
}

// The values of way.
const (
	cacheKeeps  = iota // the system decides what it keeps
	cacheByCall        // each call asks the system to drop what it reads or writes
	cacheByHand        // f drops what was read or written afterwards
)

// Advise implements [vfs.File]. For DontNeed, fsync(2) would also make the volume commit its journal and flush the disk.
func (f *file) Advise(a vfs.Advice) error {
	switch a {
	case vfs.Sequential:
		_ = unix.Fadvise(f.fd, 0, 0, unix.FADV_SEQUENTIAL)
	case vfs.NoReuse:
		f.cache.way.Store(cacheByCall)
	case vfs.DontNeed:
		if err := sys.AwaitWriteback(f.fd, 0, 0); err != nil { // 0 bytes: all
			return vfs.PathError("sync_file_range", f.name, err)
		}
		sys.DropCached(f.fd, 0, 0)
	}
	return nil
}

// dropByHand makes f drop cached data itself, because the system does not.
func (f *file) dropByHand() {
	f.cache.once.Do(func() {
		f.cache.reads = !sys.IsCached(f.fd)
		f.cache.way.Store(cacheByHand)
	})
}

// uncached makes a call that bypasses the cache. If the kernel or the file system cannot do that, the error is EOPNOTSUPP.
func (f *file) uncached(call func(fd int, p []byte, off int64) (int, error), p []byte, off int64) (int, error) {
	if f.cache.way.Load() == cacheByHand {
		return 0, unix.EOPNOTSUPP
	}
	n, err := call(f.fd, p, off)
	if err == unix.EOPNOTSUPP || err == unix.ENOSYS {
		f.dropByHand()
		err = unix.EOPNOTSUPP
	}
	return n, err
}

// pread makes one call of pread(2) or a variant of it.
func (f *file) pread(p []byte, off int64) (int, error) {
	if f.cache.way.Load() == cacheKeeps {
		return sys.Pread(f.fd, p, off)
	}
	n, err := f.uncached(sys.PreadUncached, p, off)
	if err != unix.EOPNOTSUPP {
		return n, err
	}
	n, err = sys.Pread(f.fd, p, off)
	if n > 0 && f.cache.reads {
		f.drop(off + int64(n))
	}
	return n, err
}

// pwrite makes one call of pwrite(2) or a variant of it.
func (f *file) pwrite(p []byte, off int64) (int, error) {
	if f.cache.way.Load() == cacheKeeps {
		return sys.Pwrite(f.fd, p, off)
	}
	n, err := f.uncached(sys.PwriteUncached, p, off)
	if err != unix.EOPNOTSUPP {
		return n, err
	}
	n, err = sys.Pwrite(f.fd, p, off)
	if n <= 0 || err != nil {
		return n, err
	}
	if err := sys.StartWriteback(f.fd, off, int64(n)); err != nil {
		return n, err
	}
	if before := off - behind; before >= 0 {
		err = sys.AwaitWriteback(f.fd, before, int64(n))
		f.drop(before + int64(n))
	}
	return n, err
}

// drop drops what lies before end and was not dropped yet. The kernel keeps several pages in one folio, which it drops
// only as a whole, so drop includes some of what was dropped before.
func (f *file) drop(end int64) {
	start := max(0, end-behind)
	sys.DropCached(f.fd, start, end-start)
}
