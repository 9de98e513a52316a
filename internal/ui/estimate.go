package ui

import (
	"time"

	"psync/internal/report"
)

const (
	window     = 10 * time.Second     // what counts as recent
	settled    = time.Second          // the shortest time that a rate is computed from
	stallAfter = 5 * time.Second      // stillness that is worth saying
	farAway    = 100 * 24 * time.Hour // an estimate beyond this is no information
)

// handled returns the work behind t. A file that was current, was made as a hard
// link or could not be copied, counts: it had its turn.
func handled(t report.Totals) amount {
	return amount{
		files: t[report.FilesCopied] + t[report.FilesKept] + t[report.HardLinked] + t[report.Failed] + t[report.Vanished],
		bytes: t[report.BytesCopied] + t[report.BytesKept],
	}
}

// An estimator turns samples of the totals into a status. It has no clock:
// times are those since the start of the run, and never decrease.
type estimator struct {
	removal bool // work is to remove entries

	samples []sample // the recent ones, oldest first
	totals  report.Totals
	changed time.Duration // when totals did last
}

type sample struct {
	at    time.Duration
	done  amount
	moved int64 // what the rate counts
}

// sample returns what t says of the work. The rate is that of bytes copied:
// with those of current files, which cost nothing, it would say nothing of
// the devices.
func (e *estimator) sample(at time.Duration, t report.Totals) sample {
	if e.removal {
		n := deleted(t)
		return sample{at, amount{files: n}, n}
	}
	return sample{at, handled(t), t[report.BytesCopied]}
}

// add takes the totals as they are at a point in time.
func (e *estimator) add(at time.Duration, t report.Totals) {
	if t != e.totals || len(e.samples) == 0 {
		e.totals, e.changed = t, at
	}
	e.samples = append(e.samples, e.sample(at, t))
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
	s := status{done: last.done, total: total, known: known, removal: e.removal}
	if known {
		// Failed directories count as files, and sources may grow.
		s.done.files = min(s.done.files, total.files)
		s.done.bytes = min(s.done.bytes, total.bytes)
	}
	if still := last.at - e.changed; still >= stallAfter {
		s.stalled = still
		return s
	}
	span := last.at - first.at
	if span < settled {
		return s
	}
	moved := last.moved - first.moved
	s.rate = max(0, int64(float64(moved)/span.Seconds()))
	if !known {
		return s
	}
	// What is ahead is taken to be the mix of current and other files that the
	// recent past was, so bytes of both kinds count. While nothing is copied,
	// time is spent on names only, and sizes say nothing.
	s.left = remaining(total.files-s.done.files, last.done.files-first.done.files, span)
	if moved > 0 {
		s.left = max(s.left, remaining(total.bytes-s.done.bytes, last.done.bytes-first.done.bytes, span))
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
