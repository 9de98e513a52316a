package content

import (
	"context"
	"errors"
	"io"

	"psync/internal/vfs"
)

// sparse reports whether a file may have holes that matter.
func (c *Copier) sparse(attr vfs.Attr) bool {
	return !c.Dense && attr.Blocks >= 0 && attr.Blocks*512 < attr.Size
}

// A part of a file is a hole [hole, off), which may be empty, and after it data [off, end).
type part struct{ hole, off, end int64 }

// copyExtents copies the ranges that are not holes. It returns where src ends and whether there are holes. The
// holes of a file without data do not matter.
func (c *Copier) copyExtents(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) (done int64, gaps bool, err error) {
	for done < attr.Size {
		start, end, err := sourceData(src, done, attr.Size)
		if err != nil {
			return done, gaps, err
		}
		if end-start == attr.Size {
			if thin, err := c.thinned(dst, attr, route); err != nil {
				return done, gaps, err
			} else if thin != nil {
				return c.copyThin(ctx, thin, src, attr, route)
			}
		}
		gaps = gaps || start > done && (done > 0 || start < attr.Size)
		if done, err = c.copyPart(ctx, dst, src, attr, part{done, start, end}, route); err != nil {
			return done, gaps, err
		}
		if start == attr.Size {
			return done, gaps, dst.Truncate(attr.Size)
		}
		if done < end {
			return done, gaps, nil
		}
	}
	return attr.Size, gaps, nil
}

// copyPart copies the data of a part, and returns the offset that it reached.
func (c *Copier) copyPart(ctx context.Context, dst, src vfs.File, attr vfs.Attr, p part, route *Route) (int64, error) {
	if p.off == attr.Size {
		// Beyond its end a file has no data either.
		if err := unchanged(src, attr); err != nil {
			return p.hole, err
		}
	}
	if p.off > p.hole {
		if p.hole > 0 {
			route.Reclaim(dst, p.hole, p.off-p.hole)
		}
		c.arrived(p.off - p.hole)
	}
	return c.copyRange(ctx, dst, src, attr, p.off, p.end, route)
}

// sourceData is dataOf for the file that is copied.
func sourceData(src vfs.File, off, size int64) (start, end int64, err error) {
	if start, end, err = dataOf(src, off, size); err != nil {
		err = &ReadError{err}
	}
	return start, end, err
}

// dataOf returns the next range where f may have data: all the rest if f cannot report holes,
// and size twice if there is none before size.
func dataOf(f vfs.File, off, size int64) (start, end int64, err error) {
	start, end, err = f.NextData(off)
	switch {
	case err == io.EOF:
		return size, size, nil
	case errors.Is(err, errors.ErrUnsupported):
		return off, size, nil
	}
	return min(start, size), min(end, size), err
}
