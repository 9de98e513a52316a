package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// putDelayedInPlace gives the files that were delayed their names, in as many directories at once as there are workers.
// Once ctx has ended, it removes them instead.
func (r *run) putDelayedInPlace(ctx context.Context) {
	dirs := r.entries.DelayedDirs()
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(r.Workers.Get(), len(dirs)) {
		w := r.worker()
		wait.Go(func() {
			for i := next.Add(1); i <= int64(len(dirs)); i = next.Add(1) {
				w.PutDelayedInPlace(ctx, dirs[i-1])
				w.settled(ctx, dirs[i-1])
			}
		})
	}
	wait.Wait()
}
