package engine

import (
	"sync"
	"sync/atomic"
)

// newWorkers returns as many workers as the run has, but at most n.
func (r *run) newWorkers(n int) []*worker {
	workers := make([]*worker, min(r.job.Job.Workers.Get(), n))
	for i := range workers {
		workers[i] = r.worker()
	}
	return workers
}

// each has workers call f for each i below n.
func each(workers []*worker, n int, f func(w *worker, i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for _, w := range workers {
		wait.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				f(w, int(i-1))
			}
			w.job.Current.Clear()
		})
	}
	wait.Wait()
}
