package retry

import (
	"context"
	"sync"
	"time"

	"psync/internal/report"
	"psync/internal/vfs"
)

// Volumes are the volumes that a run uses.
type Volumes struct {
	shared

	mu    sync.Mutex         // guards byDev
	byDev map[uint64]*volume // by device number

	SourceCalls, DestCalls report.Durations // calls to volumes on each side
}

// NewVolumes returns a new set of volumes.
func NewVolumes(o Options) *Volumes {
	return &Volumes{shared: shared{Options: o}, byDev: make(map[uint64]*volume)}
}

// Start starts reporting outages and hanging calls to sink. The caller must call stop to end that. When ctx is done,
// nothing is waited for any more.
func (vs *Volumes) Start(ctx context.Context, sink report.Sink) (stop func()) {
	vs.sink, vs.done = sink, ctx.Done()
	ended := make(chan struct{})
	var watch sync.WaitGroup
	watch.Go(func() { vs.watch(ended) })
	return func() {
		close(ended)
		watch.Wait()
	}
}

// wraps reports whether the volume of a directory is one to wait for.
func (vs *Volumes) wraps(d vfs.Dir) bool {
	v, err := d.Statfs()
	return err == nil && v.Network || vs.AllVolumes
}

// volumeOf returns the volume that a root is on. The first root of a volume to be wrapped is the one that is probed.
func (vs *Volumes) volumeOf(r *root) *volume {
	vs.mu.Lock()
	defer vs.mu.Unlock()
	v := vs.byDev[r.dev]
	if v == nil {
		v = &volume{all: &vs.shared, root: r}
		vs.byDev[r.dev] = v
	}
	return v
}

// LongestCall returns how long the oldest call that has not returned has been running, or 0 if there is none.
func (vs *Volumes) LongestCall() (longest time.Duration) {
	now := time.Now()
	vs.mu.Lock()
	defer vs.mu.Unlock()
	for _, v := range vs.byDev {
		longest = max(longest, v.calls.longest(now))
	}
	return longest
}

// Outages returns the number of outages so far.
func (vs *Volumes) Outages() int64 { return vs.outages.Load() }

// Repeated returns how often calls were repeated after an error.
func (vs *Volumes) Repeated() int64 { return vs.repeated.Load() }

// Unreachable returns the number of volumes that do not answer and are being waited for.
func (vs *Volumes) Unreachable() int { return int(vs.unreachable.Load()) }
