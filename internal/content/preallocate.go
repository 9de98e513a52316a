package content

import (
	"errors"

	"psync/internal/content/sparse"
	"psync/internal/vfs"
)

// preallocate allocates the blocks of a new file before it is written, so that they are contiguous, and a full
// disk is detected before anything is moved. Preallocation would fill holes, and a file written by a single
// write requests all its blocks at once anyway.
func (c *Copier) preallocate(dst vfs.File, attr vfs.Attr, route *Route) error {
	_, thin := dst.(*sparse.File)
	if !c.Preallocate || thin || c.sparse(attr) || attr.Size <= route.bufferSize() || !route.prealloc.open() {
		return nil
	}
	err := route.prealloc.learn(dst.Fallocate(vfs.Preallocate, 0, attr.Size))
	if errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}
