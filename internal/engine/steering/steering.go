// Package steering adjusts the number of workers of a run to what they get done.
package steering

import (
	"context"
	"time"

	"psync/internal/pace"
	"psync/internal/report"
	"psync/internal/walk"
)

// sampleInterval is how often Steer samples how many workers are busy.
const sampleInterval = 10 * time.Millisecond

// Steer adjusts the number of workers to their throughput until ctx ends. idle returns how many of them have no work.
func Steer(ctx context.Context, workers *walk.Size, stats *report.Stats, idle func() int) {
	climber := pace.NewClimber(workers.Get(), workers.Max())
	n, next := climber.Next(pace.Sample{})
	ticker := time.NewTicker(sampleInterval)
	defer ticker.Stop()
	for {
		workers.Set(n)
		n = workers.Get()
		begin, before := time.Now(), stats.Totals()
		busy, samples := 0, 0
		for elapsed := time.Duration(0); elapsed < next; elapsed = time.Since(begin) {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			busy += max(0, n-idle())
			samples++
		}
		n, next = climber.Next(pace.Sample{
			Elapsed: time.Since(begin),
			Work:    workDone(stats.Totals()) - workDone(before),
			Busy:    busy / max(1, samples),
			Asked:   n,
		})
	}
}

// workDone returns the amount of work done. Entries that were only looked at count, since on a remote host they take
// as long as others.
func workDone(t report.Totals) float64 {
	entries := t[report.DirsSeen] + t[report.FilesSeen] + t[report.LinksSeen] + t[report.SpecialsSeen] + t.Deleted()
	return pace.Work(entries, t[report.BytesCopied])
}
