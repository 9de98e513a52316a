//go:build !linux

package pagecache

import (
	"golang.org/x/sys/unix"

	"psync/internal/sys"
	"psync/internal/vfs"
)

// A Use is empty: the system itself keeps track of how a file uses the cache.
type Use struct{}

// Pread makes one call of pread(2).
func (*Use) Pread(fd int, p []byte, off int64) (int, error) { return sys.Pread(fd, p, off) }

// Pwrite makes one call of pwrite(2).
func (*Use) Pwrite(fd int, p []byte, off int64) (int, error) { return sys.Pwrite(fd, p, off) }

// Advise implements the method of [vfs.File] for a file, whose name is for errors.
func (*Use) Advise(fd int, name string, a vfs.Advice) error {
	if a == vfs.DontNeed {
		if err := sys.IgnoringEINTR(func() error { return unix.Fsync(fd) }); err != nil {
			return vfs.PathError("fsync", name, err)
		}
	}
	advise(fd, a)
	return nil
}
