//go:build !linux

package localfs

import "psync/internal/sys"

// A cacheUse is empty: the system itself keeps track of how a file uses the cache.
type cacheUse struct{}

func (f *file) pread(p []byte, off int64) (int, error)  { return sys.Pread(f.fd, p, off) }
func (f *file) pwrite(p []byte, off int64) (int, error) { return sys.Pwrite(f.fd, p, off) }
