package content

import (
	"context"
)

// Help takes ranges of another Copier's file until no range is left, a range has failed, or ctx is done. Help
// leaves unfinished ranges to other Copiers. The owner of the ranges reports the result for the file; Help
// reports only to Progress.
func (c *Copier) Help(ctx context.Context, r *Ranges) {
	c.helping = r
	defer func() { c.helping = nil }()
	c.takeAll(ctx, r)
}

// takeAll processes ranges until none can be taken.
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

// shares reports whether other Copiers may help with a file of the given size.
func (c *Copier) shares(size int64) bool {
	return c.Share != nil && !c.Quiet && c.Cutoff > 0 && size >= c.Cutoff && size > c.rangeSize()
}

func (c *Copier) rangeSize() int64 {
	if c.step > 0 {
		return c.step
	}
	return rangeSize
}

// share processes all ranges, with the help of other Copiers if they may, and returns where the file ends.
func (c *Copier) share(ctx context.Context, r *Ranges) (int64, error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if c.shares(r.size) {
		done := c.Share(r)
		c.takeAll(ctx, r)
		done()
	}
	for r.more() {
		if ctx.Err() != nil {
			r.abandon(ctx)
		}
		c.takeAll(ctx, r)
		r.wait(ctx)
	}
	return r.stop.end, r.stop.err
}
