package content

import (
	"errors"

	"psync/internal/vfs"
)

// After a power cut, a file system may show the length and the times that a file was given, but not all
// of its data: those are written later. A file that was written from its start to its end
// comes back short then, so that everybody sees that it is not complete. One that has holes, was
// written by several workers, or had contents before, may have its full length while data between, or all
// of it, are not there. Those are on the disk before anybody can give them the time of their source.

// durable has the data of a file written to the disk, where that is wanted.
func (c *Copier) durable(f vfs.File) error {
	s, ok := f.(vfs.Syncer)
	if !ok || !c.Durable {
		return nil
	}
	if err := s.Sync(); !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return nil
}
