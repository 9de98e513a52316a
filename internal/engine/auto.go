package engine

import (
	"context"
	"time"

	"psync/internal/pace"
	"psync/internal/report"
)

// sampleInterval is how often steer samples how many workers are busy.
const sampleInterval = 10 * time.Millisecond

// steer adjusts the number of workers to their throughput until ctx ends.
func (r *run) steer(ctx context.Context) {
	climber := pace.NewClimber(r.job.Job.Workers.Get(), r.job.Job.Workers.Max())
	n, next := climber.Next(pace.Sample{})
	ticker := time.NewTicker(sampleInterval)
	defer ticker.Stop()
	for {
		r.job.Job.Workers.Set(n)
		n = r.job.Job.Workers.Get()
		begin, before := time.Now(), r.job.Job.Stats.Totals()
		busy, samples := 0, 0
		for elapsed := time.Duration(0); elapsed < next; elapsed = time.Since(begin) {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			busy += max(0, n-r.pool.Idle())
			samples++
		}
		n, next = climber.Next(pace.Sample{
			Elapsed: time.Since(begin),
			Work:    workDone(r.job.Job.Stats.Totals()) - workDone(before),
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
