package report

import (
	"sync/atomic"
	"time"
)

// Durations counts how long calls have taken. Its methods may be called by several goroutines at once.
type Durations struct {
	counts [len(DurationBounds) + 1]atomic.Int64
	sum    atomic.Int64 // ns
}

// DurationBounds are the limits of the classes that durations are counted in. They are powers of ten: a call that is
// answered from a cache, by a server in the same building, by a disk, by a server far away, or late.
var DurationBounds = [...]time.Duration{
	10 * time.Microsecond, 100 * time.Microsecond, time.Millisecond, 10 * time.Millisecond,
	100 * time.Millisecond, time.Second, 10 * time.Second,
}

// Add counts a call that has taken d.
func (ds *Durations) Add(d time.Duration) {
	i := 0
	for i < len(DurationBounds) && d > DurationBounds[i] {
		i++
	}
	ds.counts[i].Add(1)
	ds.sum.Add(int64(d))
}

// Counts returns how many calls each class has had, the last one those above all limits, and how long all of them took.
func (ds *Durations) Counts() (counts [len(DurationBounds) + 1]int64, sum time.Duration) {
	for i := range ds.counts {
		counts[i] = ds.counts[i].Load()
	}
	return counts, time.Duration(ds.sum.Load())
}
