package content

import (
	"errors"

	"psync/internal/vfs"
)

// After a power cut, a file may have the length and the times that it was given, but not all of its data,
// which file systems write later. A file that was written from start to end is then too short, which
// later runs notice. But one that has holes, was written by several workers, or had contents before may
// have its full length and still lack data. So such a file is synced before it gets the time of its
// source.

// syncIfDurable syncs the contents of a file to the disk if c.Durable is set and the system can do that.
func (c *Copier) syncIfDurable(f vfs.File) error {
	if !c.Durable {
		return nil
	}
	if err := f.Sync(); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
