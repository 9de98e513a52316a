package localfs

import "psync/internal/sys"

// Sync returns when the contents are on the disk. Files that are on none need nothing.
func (f *file) Sync() error {
	return pathError("fsync", f.name, unsupported(sys.Fdatasync(f.fd)))
}
