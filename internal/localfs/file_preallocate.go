//go:build linux || darwin

package localfs

import "psync/internal/sys"

func (f *file) Preallocate(size int64) error {
	return pathError("preallocate", f.name, unsupported(sys.Preallocate(f.fd, size)))
}
