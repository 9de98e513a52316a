package content

import (
	"context"
	"errors"
	"io"

	"psync/internal/content/sparse"
	"psync/internal/vfs"
)

// window is the number of bytes of a file on another host that may be under way at the same time while Continue writes
// it.
const window = 8 << 20

// lastRequest is the most that Continue writes to a file on another host once all the rest is known to be there. It
// fits in a request of every protocol.
const lastRequest = 32 << 10

// Continue does what [Copier.Overwrite] does for a dst that has the first off bytes of src, which it does not compare.
// When it fails, or the process is killed, dst still has a beginning of src, and can be continued.
//
// far says that dst is on another host. Requests to write may overtake each other on the way there, so a process that
// was killed may have left a gap in the last window, which Continue then copies once more. It does so, too, where that
// is unknown because dst reports no holes.
func (c *Copier) Continue(ctx context.Context, dst, src vfs.File, attr vfs.Attr, off int64, far bool, route *Route) error {
	if last := max(0, off-window); far && off > 0 {
		start, end, err := dst.NextData(last)
		switch {
		case err == nil && start == last && end >= off:
		case err == nil, err == io.EOF, errors.Is(err, errors.ErrUnsupported):
			off = last
		default:
			return err
		}
	}
	c.arrived(off)
	out := dst
	if c.looksForZeros(attr, route) {
		out = sparse.New(dst, route, off)
	}
	for off < attr.Size {
		end, err := c.copyNext(ctx, out, src, attr, off, far, route)
		if err != nil {
			return err
		}
		if end == off {
			break // src ends before its size
		}
		off = end
		if far {
			if err := out.Truncate(off); err != nil { // when all that was written has arrived
				return err
			}
		}
	}
	if err := out.Truncate(off); err != nil {
		return err
	}
	return c.syncIfDurable(dst)
}

// copyNext copies the next data of src at or after off, and returns the offset that it reached.
func (c *Copier) copyNext(ctx context.Context, dst, src vfs.File, attr vfs.Attr, off int64, far bool, route *Route) (int64, error) {
	start, end := off, attr.Size
	if c.sparse(attr) {
		var err error
		if start, end, err = sourceData(src, off, attr.Size); err != nil {
			return off, err
		}
		c.arrived(start - off)
	}
	if far {
		end = min(end, start+window)
		if last := (attr.Size - 1) / lastRequest * lastRequest; start < last {
			end = min(end, last) // with the size of src, dst would be taken for complete
		}
	}
	return c.copyRange(ctx, dst, src, attr, start, end, route)
}
