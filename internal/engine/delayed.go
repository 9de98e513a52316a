package engine

import (
	"context"
	"sync"
	"sync/atomic"
)

// putDelayedInPlace gives delayed files their names, in as many directories at once as there are workers. Once ctx
// has ended, it removes them instead.
func (r *run) putDelayedInPlace(ctx context.Context) {
	dirs := r.entries.DelayedDirs()
	r.each(len(dirs), func(w *worker, i int) {
		w.entries.PutDelayedInPlace(ctx, dirs[i])
		w.job.Settled(ctx, dirs[i])
	})
}

// each calls f for each i below n, with as many calls at once as there are workers.
func (r *run) each(n int, f func(w *worker, i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(r.job.Workers.Get(), n) {
		w := r.worker()
		wait.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				f(w, int(i-1))
			}
			w.job.Current.Clear()
		})
	}
	wait.Wait()
}
