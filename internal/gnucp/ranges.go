package gnucp

import (
	"context"
	"sync/atomic"

	"psync/internal/content"
)

const (
	rangesFrom  = 64 << 20 // bytes: the size of files that are worth the help of others
	mostHelpers = 3        // with one file
)

// sharedRanges are the ranges of a file that others may help with.
type sharedRanges struct {
	*content.Ranges
	pool *pool
	free atomic.Int32 // how many more may help
}

// shareRanges offers ranges of a file to idle workers; see [content.Copier].
func (r *run) shareRanges(ranges *content.Ranges) (done func()) {
	p := r.atWork.Load()
	if p == nil {
		return func() {}
	}
	o := &sharedRanges{Ranges: ranges, pool: p}
	o.free.Store(mostHelpers)
	p.Offer(o, mostHelpers)
	return func() { p.Withdraw(o) }
}

// Help has w help with the ranges of a file.
func (o *sharedRanges) Help(ctx context.Context, w *worker) {
	free := o.free.Add(-1)
	if free <= 0 {
		o.pool.Withdraw(o)
	}
	if free >= 0 {
		w.files.Help(ctx, o.Ranges)
		o.pool.Withdraw(o) // nothing is left to take
	}
}
