package gnucp

import (
	"context"

	"psync/internal/content"
)

const (
	rangesFrom = 64 << 20 // bytes: the size from which other workers help with a file
	maxHelpers = 3        // workers that help with one file
)

// shareRanges offers ranges of a file to idle workers; see [content.Copier].
func (r *run) shareRanges(ranges *content.Ranges) (done func()) {
	p := r.atWork.Load()
	if p == nil {
		return func() {}
	}
	return p.OfferHelp(maxHelpers, func(ctx context.Context, w *worker) { w.files.Help(ctx, ranges) })
}
