// Package estimate says how far a run has come, how fast it is and how long it will take, from samples of its statistics.
package estimate

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

// An Amount is an amount of work, done or still to do.
type Amount struct{ Files, Bytes int64 }

// A Status is the information that a progress display shows.
type Status struct {
	Done, Total Amount
	Known       bool          // Total is the total, rather than a lower bound
	Rate        int64         // recent bytes copied a second, or entries removed; 0 if unknown
	Left        time.Duration // 0 if unknown
	Stalled     time.Duration // time without progress; 0 while there is progress
	Removal     bool          // Done.Files counts removed entries, and the other figures do not matter
	DryRun      bool          // nothing is copied
	Elapsed     time.Duration // since the start of the run
}

// Share returns the fraction of the work that is done, in [0, 1): of its time if that is known, for while large files are
// in hand, the fraction of files says little, and that of bytes while small ones are. Otherwise the smaller of both counts.
func (s Status) Share() float64 {
	share := 0.9999 // a run that is done shows no progress
	if s.Left > 0 && s.Elapsed > 0 {
		return min(share, float64(s.Elapsed)/float64(s.Elapsed+s.Left))
	}
	if s.Total.Files > 0 {
		share = min(share, float64(s.Done.Files)/float64(s.Total.Files))
	}
	if s.Total.Bytes > 0 {
		share = min(share, float64(s.Done.Bytes)/float64(s.Total.Bytes))
	}
	return max(share, 0)
}

// handled returns the work done according to t. Files that were current or skipped, were made as hard links, or
// could not be copied count as done.
func handled(t report.Totals) Amount {
	return Amount{
		Files: t.Decided() + t[report.HardLinked] + t[report.Failed] + t[report.Vanished],
		Bytes: t[report.BytesCopied] + t[report.BytesKept] + t[report.BytesSkipped],
	}
}

// An Estimator turns samples of the totals into a [Status]. It has no clock: all times are relative to the start
// of the run, and never decrease.
type Estimator struct {
	Removal bool // the run removes entries
	DryRun  bool // the run copies nothing

	samples []sample // the recent ones, oldest first
	totals  report.Totals
	changed time.Duration // when totals last changed
	fitted  sample        // the last one that is part of costs
	costs   cost.Costs
	moving  cost.Costs // when totals last changed
	counted bool       // the total is known
}

type sample struct {
	at    time.Duration
	done  Amount
	moved int64 // the amount that the rate is computed from
}

// sample returns the work according to t. The rate counts copied bytes. If it included the bytes of current
// files, which cost nothing, it would say nothing about the devices.
func (e *Estimator) sample(at time.Duration, t report.Totals) sample {
	switch {
	case e.Removal:
		n := t.Deleted()
		return sample{at, Amount{Files: n}, n}
	case e.DryRun:
		return sample{at, handled(t), 0}
	}
	return sample{at, handled(t), t[report.BytesCopied]}
}

// Add records the totals at a point in time, and whether the source has been counted.
func (e *Estimator) Add(at time.Duration, t report.Totals, counted bool) {
	s := e.sample(at, t)
	if len(e.samples) == 0 {
		e.fitted = s
	}
	if counted && !e.counted {
		const weight = 0.1 // counting takes time from the workers, which do up to twice as much afterwards
		e.counted = true
		e.costs.Discount(weight)
		e.moving.Discount(weight)
	}
	moved := t != e.totals || len(e.samples) == 0
	if moved {
		if at-e.changed >= stallAfter { // how long a stall lasts says nothing about the work
			e.costs, e.fitted = e.moving, s
		}
		e.totals, e.changed = t, at
	}
	if at-e.fitted.at >= minPeriod {
		e.costs.Add(at-e.fitted.at, s.done.Files-e.fitted.done.Files, s.moved-e.fitted.moved)
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

// Status returns the state at the time of the last sample. At least one sample must have been added.
func (e *Estimator) Status(total Amount, known bool) Status {
	first, last := e.samples[0], e.samples[len(e.samples)-1]
	s := Status{Done: last.done, Total: total, Known: known, Elapsed: last.at, Removal: e.Removal, DryRun: e.DryRun}
	if known {
		// Failed directories count as files, and sources may grow.
		s.Done.Files = min(s.Done.Files, total.Files)
		s.Done.Bytes = min(s.Done.Bytes, total.Bytes)
	}
	if still := last.at - e.changed; still >= stallAfter {
		s.Stalled = still
		return s
	}
	if span := last.at - first.at; span >= minPeriod {
		s.Rate = max(0, int64(float64(last.moved-first.moved)/span.Seconds()))
	}
	if known {
		left := remaining(e.totals, last.done, total)
		s.Left = e.costs.Of(left.Files, left.Bytes)
	}
	return s
}

// remaining returns the files that are still to be handled, and the bytes that are still to be copied if the
// share of current files stays the same.
func remaining(t report.Totals, done, total Amount) Amount {
	left := max(0, t[report.BytesLeft])
	undecided := max(0, total.Bytes-done.Bytes-left)
	if n := t.Decided(); n > 0 {
		undecided = int64(float64(undecided) * float64(t[report.FilesCopied]) / float64(n))
	}
	return Amount{max(0, total.Files-done.Files), left + undecided}
}
