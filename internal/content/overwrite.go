package content

import (
	"context"
	"errors"

	"psync/internal/content/sparse"
	"psync/internal/vfs"
)

// ErrSame reports an attempt to overwrite a file by itself.
var ErrSame = errors.New("is the same file as the source")

// Overwrite does what [Copier.Copy] does for a dst that may have contents, longer or shorter than those of src.
// dst keeps its blocks unless src has holes or zeros become holes. In that case Overwrite frees blocks where
// dst can punch holes, or where only zeros follow up to its end, and writes zeros elsewhere. When Overwrite
// fails, dst holds a mixture of old and new contents, unless the error is [ErrSame]: then dst is src under
// another name, and unchanged.
func (c *Copier) Overwrite(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) error {
	old, err := vfs.Stat(dst)
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
	if c.looksForZeros(attr, route) {
		out = sparse.New(dst, route, old.Size)
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

// overwrite replaces the contents of dst below the size of src, and returns where src ends. Like the other
// ways, a clone does not change what lies beyond.
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
