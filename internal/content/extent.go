package content

import (
	"context"
	"errors"
	"io"

	"psync/internal/content/sparse"
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
		start, end, err := dataOf(src, done, attr.Size)
		if err != nil {
			return done, gaps, &ReadError{err}
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

// Some file systems have holes and do not report where: on NFS 3, NextData says that all of a file is data, and only its
// blocks show that there are holes; an SFTP server does not report the blocks either. The copy then looks for zeros
// while it reads, as cp(1) does, and as it does for every file if c.Sparse is set.

// looksForZeros reports whether runs of zeros become holes, whatever src says of its holes.
func (c *Copier) looksForZeros(attr vfs.Attr, route *Route) bool {
	unknown := attr.Blocks < 0 && attr.Size >= int64(route.MinHole())
	return c.Sparse || unknown && !c.Dense && !c.Preallocate
}

// thinned returns dst, which is new and empty, as a file in which zeros become holes, if a source that lacks blocks but
// says that it is data from start to end may have holes. Otherwise the source takes fewer blocks because it is
// compressed, for example, and thinned returns nil. Looking for zeros rules out that the file system copies by itself,
// so where it offers that, it has to show first whether it reports holes.
func (c *Copier) thinned(dst vfs.File, attr vfs.Attr, route *Route) (*sparse.File, error) {
	if _, already := dst.(*sparse.File); already || attr.Size-attr.Blocks*512 < sparse.Block {
		return nil, nil
	}
	if route.same && c.mayCopyInKernel(dst, route) && route.ranges.open() {
		if reports, err := route.reportsHoles(dst); reports || err != nil {
			return nil, err
		}
	}
	return sparse.New(dst, route, 0), nil
}

// reportsHoles reports whether the file system of dst, which is empty, calls a file without any data a hole.
func (r *Route) reportsHoles(dst vfs.File) (bool, error) {
	if !r.holes.open() || r.holes.worked() {
		return r.holes.worked(), nil
	}
	if err := dst.Truncate(sparse.Block); err != nil {
		return false, err
	}
	if _, _, err := dst.NextData(0); err == io.EOF {
		r.holes.succeed()
	} else {
		r.holes.refuse()
	}
	return r.holes.worked(), dst.Truncate(0)
}

// copyThin does what copyExtents does for a file whose holes are not known.
func (c *Copier) copyThin(ctx context.Context, dst *sparse.File, src vfs.File, attr vfs.Attr, route *Route) (done int64, gaps bool, err error) {
	if done, err = c.copyRange(ctx, dst, src, attr, 0, attr.Size, route); err == nil {
		err = dst.Finish()
	}
	return done, dst.Gaps(), err
}
