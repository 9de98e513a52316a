package gnucp

import (
	"context"
	"sync/atomic"

	"psync/internal/content"
)

const (
	rangesFrom = 64 << 20 // bytes: the size from which other workers help with a file
	maxHelpers = 3        // workers that help with one file
)

// sharedRanges are the ranges of a file that other workers may help with.
type sharedRanges struct {
	*content.Ranges
	pool *pool
	free atomic.Int32 // how many more workers may help
}

// shareRanges offers ranges of a file to idle workers; see [content.Copier].
func (r *run) shareRanges(ranges *content.Ranges) (done func()) {
	p := r.atWork.Load()
	if p == nil {
		return func() {}
	}
	o := &sharedRanges{Ranges: ranges, pool: p}
	o.free.Store(maxHelpers)
	p.Offer(o, maxHelpers)
	return func() { p.Withdraw(o) }
}

// Help makes w copy ranges of the file.
func (o *sharedRanges) Help(ctx context.Context, w *worker) {
	free := o.free.Add(-1)
	if free <= 0 {
		o.pool.Withdraw(o)
	}
	if free >= 0 {
		w.files.Help(ctx, o.Ranges)
		o.pool.Withdraw(o) // no range is left
	}
}
