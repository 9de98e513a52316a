package ui

import (
	"time"

	"psync/internal/report"
)

const (
	window     = 10 * time.Second     // the period that counts as recent
	settled    = time.Second          // the shortest time for computing a rate
	stallAfter = 5 * time.Second      // the time without progress that is worth reporting
	farAway    = 100 * 24 * time.Hour // a longer estimate is not useful
)

// handled returns the work done according to t. Files that were current, were made as hard links, or could not
// be copied count as done.
func handled(t report.Totals) amount {
	return amount{
		files: t[report.FilesCopied] + t[report.FilesKept] + t[report.HardLinked] + t[report.Failed] + t[report.Vanished],
		bytes: t[report.BytesCopied] + t[report.BytesKept],
	}
}

// An estimator turns samples of the totals into a status. It has no clock: all times are relative to the start
// of the run, and never decrease.
type estimator struct {
	removal bool // the run removes entries

	samples []sample // the recent ones, oldest first
	totals  report.Totals
	changed time.Duration // when totals last changed
}

type sample struct {
	at    time.Duration
	done  amount
	moved int64 // the amount that the rate is computed from
}

// sample returns the work according to t. The rate counts copied bytes. If it included the bytes of current
// files, which cost nothing, it would say nothing about the devices.
func (e *estimator) sample(at time.Duration, t report.Totals) sample {
	if e.removal {
		n := deleted(t)
		return sample{at, amount{files: n}, n}
	}
	return sample{at, handled(t), t[report.BytesCopied]}
}

// add records the totals at a point in time.
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

// status returns the state at the time of the last sample. At least one sample must have been added.
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
	// The estimate assumes that the remaining files are the same mix of current and other files as the recent
	// ones, so bytes of both kinds count. While nothing is copied, names take all the time, and sizes do not
	// matter.
	s.left = remaining(total.files-s.done.files, last.done.files-first.done.files, span)
	if moved > 0 {
		s.left = max(s.left, remaining(total.bytes-s.done.bytes, last.done.bytes-first.done.bytes, span))
	}
	return s
}

// remaining returns how long todo takes if done took span. If nothing was done it returns 0, so that the other
// measure decides: no file ends while a large file is copied, and no bytes flow while empty files are copied.
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
