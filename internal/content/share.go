package content

import (
	"context"
	"errors"

	"psync/internal/vfs"
)

// Help takes of the ranges of another Copier's file until none is left, one has
// failed or ctx is done. What it could not finish then is left to others. It is for
// their owner to tell what becomes of the file; here only Progress is told.
func (c *Copier) Help(ctx context.Context, r *Ranges) {
	c.helping = r
	defer func() { c.helping = nil }()
	c.takeAll(ctx, r)
}

// takeAll deals with ranges while there are any to take.
func (c *Copier) takeAll(ctx context.Context, r *Ranges) {
	for ctx.Err() == nil {
		p, partCtx, ok := r.take(ctx)
		if !ok {
			return
		}
		off, err := r.deal(partCtx, c, p)
		r.done(ctx, p, off, err)
	}
}

// shares reports whether others may help with a file of the given size.
func (c *Copier) shares(size int64) bool {
	return c.Share != nil && c.Cutoff > 0 && size >= c.Cutoff && size > c.rangeSize()
}

func (c *Copier) rangeSize() int64 {
	if c.step > 0 {
		return c.step
	}
	return rangeSize
}

// share deals with all ranges, with the help of others, and returns where the file ends.
func (c *Copier) share(ctx context.Context, r *Ranges) (int64, error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	done := c.Share(r)
	c.takeAll(ctx, r)
	done()
	for r.more() {
		if ctx.Err() != nil {
			r.abandon(ctx)
		}
		c.takeAll(ctx, r)
		r.wait(ctx)
	}
	return r.stop.end, r.stop.err
}

// copyShared does what copyData does, with the help of others. The last bytes are
// copied when all the rest is there: while the file grows it is no beginning of the
// source, for others are ahead, but never does it have the same size.
func (c *Copier) copyShared(ctx context.Context, dst, src vfs.File, attr vfs.Attr, route *Route) (int64, error) {
	last := min(lastSize, c.rangeSize())
	r := newRanges(attr.Size, (attr.Size-1)/last*last, c.rangeSize())
	r.seek = func(off int64) (start, end int64, err error) { return off, attr.Size, nil }
	if c.sparse(attr) {
		r.seek = func(off int64) (start, end int64, err error) {
			if start, end, err = dataOf(src, off, attr.Size); err != nil {
				err = &ReadError{err}
			}
			return start, end, err
		}
	}
	r.deal = func(ctx context.Context, c *Copier, p part) (int64, error) {
		return c.copyPart(ctx, dst, src, attr, p, route)
	}
	if thin, ok := dst.(*thinFile); ok {
		r.deal = func(ctx context.Context, c *Copier, p part) (int64, error) {
			dst := thin.part(p.off)
			defer thin.join(dst)
			return c.copyPart(ctx, dst, src, attr, p, route)
		}
	}
	return c.share(ctx, r)
}

// errDiffer says that a range is not the same in both files.
var errDiffer = errors.New("the files differ")

// equalShared does what Equal does, with the help of others.
func (c *Copier) equalShared(ctx context.Context, a, b vfs.File, size int64) (bool, error) {
	r := newRanges(size, size, c.rangeSize())
	r.seek = func(off int64) (start, end int64, err error) { return nextData(a, b, off, size) }
	r.deal = func(ctx context.Context, c *Copier, p part) (int64, error) {
		equal, err := c.equalPart(ctx, a, b, p, size)
		switch {
		case err != nil:
			return p.off, err
		case !equal:
			return p.off, errDiffer
		}
		return p.end, nil
	}
	_, err := c.share(ctx, r)
	if err == errDiffer {
		return false, nil
	}
	return err == nil, err
}
