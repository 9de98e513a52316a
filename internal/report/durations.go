package report

import (
	"sync/atomic"
	"time"
)

// Durations is a histogram of the durations of calls. Its methods are safe for concurrent use.
type Durations struct {
	counts [len(DurationBounds) + 1]atomic.Int64
	sum    atomic.Int64 // ns
}

// DurationBounds are the upper bounds of the buckets. They are powers of ten, for calls that are answered from a
// cache, by a server in the same building, by a disk, by a distant server, or late.
var DurationBounds = [...]time.Duration{
	10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond,
	100 * time.Millisecond, time.Second, 10 * time.Second,
}

// Add counts a call that took d.
func (ds *Durations) Add(d time.Duration) {
	i := 0
	for i < len(DurationBounds) && d > DurationBounds[i] {
		i++
	}
	ds.counts[i].Add(1)
	ds.sum.Add(int64(d))
}

// Counts returns the number of calls in each bucket and the sum of their durations. The last bucket is for calls
// above all bounds.
func (ds *Durations) Counts() (counts [len(DurationBounds) + 1]int64, sum time.Duration) {
	for i := range ds.counts {
		counts[i] = ds.counts[i].Load()
	}
	return counts, time.Duration(ds.sum.Load())
}
