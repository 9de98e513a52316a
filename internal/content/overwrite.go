package content

import (
	"context"
	"errors"

	"psync/internal/vfs"
)

// ErrSame says that a file was to be overwritten by itself.
var ErrSame = errors.New("is the same file as the source")

// Overwrite does what [Copier.Copy] does, to a dst that may have contents, longer
// or shorter than those of src. dst keeps its blocks unless src has holes, or is to
// have some by c.Sparse: then blocks are freed where dst can punch holes or has
// nothing but zeros to its end, and elsewhere zeros are written. When Overwrite
// fails, dst holds a mixture, unless the error is [ErrSame]: then it is src by
// another name, and as it was.
func (c *Copier) Overwrite(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) error {
	old, err := dst.Stat()
	switch {
	case err != nil:
		return err
	case old.ID() == attr.ID():
		return ErrSame
	case attr.Size == 0, c.sparse(attr):
		// Old bytes would show where nothing is written.
		if err := dst.Truncate(0); err != nil {
			return err
		}
		return c.Copy(ctx, dst, src, attr, route)
	}
	out := dst
	if c.Sparse {
		out = &sparseWriter{File: dst, route: route, length: old.Size}
	}
	end, err := c.overwrite(ctx, out, src, attr, route)
	if err != nil {
		return err
	}
	if err := out.Truncate(end); err != nil {
		return err
	}
	return c.syncIfDurable(dst)
}

// overwrite replaces what dst holds below the size of src, and returns where src
// ends. A clone leaves what lies beyond, too.
func (c *Copier) overwrite(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) (int64, error) {
	if cloned, err := c.clone(dst, src, route); err != nil {
		return 0, err
	} else if cloned {
		c.arrived(attr.Size)
		return attr.Size, unchanged(src, attr)
	}
	end, _, err := c.copyData(ctx, dst, src, attr, route)
	return end, err
}
