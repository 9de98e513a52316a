package ui

import (
	"time"

	"psync/internal/report"
	"psync/internal/ui/cost"
)

const (
	window     = 10 * time.Second // the period that counts as recent
	minPeriod  = time.Second      // the shortest time for computing a rate
	stallAfter = 5 * time.Second  // the time without progress that is worth reporting
)

// handled returns the work done according to t. Files that were current or skipped, were made as hard links, or
// could not be copied count as done.
func handled(t report.Totals) amount {
	return amount{
		files: decided(t) + t[report.HardLinked] + t[report.Failed] + t[report.Vanished],
		bytes: t[report.BytesCopied] + t[report.BytesKept] + t[report.BytesSkipped],
	}
}

// decided returns the number of files that were compared with the destination, or copied.
func decided(t report.Totals) int64 {
	return t[report.FilesCopied] + t[report.FilesKept] + t[report.FilesSkipped]
}

// An estimator turns samples of the totals into a status. It has no clock: all times are relative to the start
// of the run, and never decrease.
type estimator struct {
	removal bool // the run removes entries
	dryRun  bool // the run copies nothing

	samples []sample // the recent ones, oldest first
	totals  report.Totals
	changed time.Duration // when totals last changed
	fitted  sample        // the last one that is part of costs
	costs   cost.Costs
	moving  cost.Costs // when totals last changed
}

type sample struct {
	at    time.Duration
	done  amount
	moved int64 // the amount that the rate is computed from
}

// sample returns the work according to t. The rate counts copied bytes. If it included the bytes of current
// files, which cost nothing, it would say nothing about the devices.
func (e *estimator) sample(at time.Duration, t report.Totals) sample {
	switch {
	case e.removal:
		n := deleted(t)
		return sample{at, amount{files: n}, n}
	case e.dryRun:
		return sample{at, handled(t), 0}
	}
	return sample{at, handled(t), t[report.BytesCopied]}
}

// add records the totals at a point in time.
func (e *estimator) add(at time.Duration, t report.Totals) {
	s := e.sample(at, t)
	if len(e.samples) == 0 {
		e.fitted = s
	}
	moved := t != e.totals || len(e.samples) == 0
	if moved {
		if at-e.changed >= stallAfter { // how long a stall lasts says nothing about the work
			e.costs, e.fitted = e.moving, s
		}
		e.totals, e.changed = t, at
	}
	if at-e.fitted.at >= minPeriod {
		e.costs.Add(at-e.fitted.at, s.done.files-e.fitted.done.files, s.moved-e.fitted.moved)
		e.fitted = s
	}
	if moved {
		e.moving = e.costs
	}
	e.samples = append(e.samples, s)
	old := 0
	for old+1 < len(e.samples) && e.samples[old+1].at <= at-window {
		old++
	}
	e.samples = append(e.samples[:0], e.samples[old:]...)
}

// status returns the state at the time of the last sample. At least one sample must have been added.
func (e *estimator) status(total amount, known bool) status {
	first, last := e.samples[0], e.samples[len(e.samples)-1]
	s := status{done: last.done, total: total, known: known, elapsed: last.at, removal: e.removal, dryRun: e.dryRun}
	if known {
		// Failed directories count as files, and sources may grow.
		s.done.files = min(s.done.files, total.files)
		s.done.bytes = min(s.done.bytes, total.bytes)
	}
	if still := last.at - e.changed; still >= stallAfter {
		s.stalled = still
		return s
	}
	if span := last.at - first.at; span >= minPeriod {
		s.rate = max(0, int64(float64(last.moved-first.moved)/span.Seconds()))
	}
	if known {
		left := remaining(e.totals, last.done, total)
		s.left = e.costs.Of(left.files, left.bytes)
	}
	return s
}

// remaining returns the files that are still to be handled, and the bytes that are still to be copied if the
// share of current files stays the same.
func remaining(t report.Totals, done, total amount) amount {
	left := max(0, t[report.BytesLeft])
	undecided := max(0, total.bytes-done.bytes-left)
	if n := decided(t); n > 0 {
		undecided = int64(float64(undecided) * float64(t[report.FilesCopied]) / float64(n))
	}
	return amount{max(0, total.files-done.files), left + undecided}
}
