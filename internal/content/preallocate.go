package content

import (
	"errors"

	"psync/internal/vfs"
)

// preallocate allocates the blocks of a new file before it is written, so that they are contiguous, and a full
// disk is detected before anything is moved. Preallocation would fill holes, and a file written by a single
// write requests all its blocks at once anyway.
func (c *Copier) preallocate(dst vfs.File, attr vfs.Attr, route *Route) error {
	if !c.Preallocate || c.sparse(attr) || attr.Size <= route.bufferSize() || !route.prealloc.open() {
		return nil
	}
	if !dst.Caps().Has(vfs.CanPreallocate) { // a sparse.File, for example
		return nil
	}
	err := dst.Preallocate(attr.Size)
	switch {
	case err == nil:
		route.prealloc.succeed()
	case errors.Is(err, errors.ErrUnsupported):
		route.prealloc.refuse()
		return nil
	}
	return err
}
