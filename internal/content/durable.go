package content

import (
	"errors"

	"psync/internal/vfs"
)

// After a power cut, a file may have the length and the times that it was given but lack some data, because
// file systems write data later. A file that was written from start to end is then too short, which later runs
// notice. But a file that has holes, was written by several workers, or had contents before may have its full
// length and still lack data. Therefore such a file is synced before it gets the time of its source.

// syncIfDurable syncs a file if c.Durable is set.
func (c *Copier) syncIfDurable(f vfs.File) error {
	if !c.Durable {
		return nil
	}
	return Sync(f)
}

// Sync writes the contents of a file to disk, if the file is on a disk and the system can do that.
func Sync(f vfs.File) error {
	if err := f.Sync(); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
