package ui

import (
	"time"

	"psync/internal/report"
)

const (
	window     = 10 * time.Second     // what counts as recent
	settled    = time.Second          // the shortest time that a rate is told from
	stallAfter = 5 * time.Second      // stillness that is worth saying
	farAway    = 100 * 24 * time.Hour // an estimate beyond this is no information
)

// An amount is work done, or to be done.
type amount struct{ files, bytes int64 }

// handled returns the work behind t. A file that could not be copied counts:
// it had its turn.
func handled(t report.Totals) amount {
	return amount{
		files: t[report.FilesCopied] + t[report.Failed] + t[report.Vanished],
		bytes: t[report.BytesCopied],
	}
}

// A status is all that a progress display shows.
type status struct {
	done, total amount
	known       bool          // total is the total, rather than a lower bound
	rate        int64         // recent bytes a second; 0 if none can be told
	left        time.Duration // 0 if it cannot be told
	stalled     time.Duration // how long nothing has moved; 0 if things move
}

// share returns which part of the work is done, in [0, 1): files and bytes must
// both be complete, so the smaller of their shares counts.
func (s status) share() float64 {
	share := 0.9999 // a run that is done shows no progress
	if s.total.files > 0 {
		share = min(share, float64(s.done.files)/float64(s.total.files))
	}
	if s.total.bytes > 0 {
		share = min(share, float64(s.done.bytes)/float64(s.total.bytes))
	}
	return max(share, 0)
}

// An estimator turns samples of the totals into a status. It has no clock:
// times are those since the start of the run, and never decrease.
type estimator struct {
	samples []sample // the recent ones, oldest first
	totals  report.Totals
	moved   time.Duration // when totals changed last
}

type sample struct {
	at   time.Duration
	done amount
}

// add takes the totals as they are at a point in time.
func (e *estimator) add(at time.Duration, t report.Totals) {
	if t != e.totals || len(e.samples) == 0 {
		e.totals, e.moved = t, at
	}
	e.samples = append(e.samples, sample{at, handled(t)})
	old := 0
	for old+1 < len(e.samples) && e.samples[old+1].at <= at-window {
		old++
	}
	e.samples = append(e.samples[:0], e.samples[old:]...)
}

// status returns the state at the time of the last sample. Something must have
// been added before.
func (e *estimator) status(total amount, known bool) status {
	first, last := e.samples[0], e.samples[len(e.samples)-1]
	s := status{done: last.done, total: total, known: known}
	if known {
		// Failed directories count as files, and sources may grow.
		s.done.files = min(s.done.files, total.files)
		s.done.bytes = min(s.done.bytes, total.bytes)
	}
	if still := last.at - e.moved; still >= stallAfter {
		s.stalled = still
		return s
	}
	span := last.at - first.at
	if span < settled {
		return s
	}
	done := amount{last.done.files - first.done.files, last.done.bytes - first.done.bytes}
	s.rate = max(0, int64(float64(done.bytes)/span.Seconds()))
	if known {
		s.left = max(
			remaining(total.files-s.done.files, done.files, span),
			remaining(total.bytes-s.done.bytes, done.bytes, span),
		)
	}
	return s
}

// remaining returns how long todo takes if done took span. Where nothing was
// done it returns 0, leaving the word to the other measure: no file ends
// while a large one is copied, and no bytes flow while empty ones are.
func remaining(todo, done int64, span time.Duration) time.Duration {
	if todo <= 0 || done <= 0 {
		return 0
	}
	left := float64(todo) / float64(done) * float64(span)
	if left > float64(farAway) {
		return 0
	}
	return time.Duration(left)
}
