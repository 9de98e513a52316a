package content

import (
	"context"
	"io"

	"psync/internal/content/sparse"
	"psync/internal/vfs"
)

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
