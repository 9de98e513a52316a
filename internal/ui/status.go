package ui

import (
	"fmt"
	"time"
)

// An amount is an amount of work, done or still to do.
type amount struct{ files, bytes int64 }

// A status is the information that a progress display shows.
type status struct {
	done, total amount
	known       bool          // total is the total, rather than a lower bound
	rate        int64         // recent bytes copied a second, or entries removed; 0 if unknown
	left        time.Duration // 0 if unknown
	stalled     time.Duration // time without progress; 0 while there is progress
	removal     bool          // done.files counts removed entries, and the other figures do not matter
	dryRun      bool          // nothing is copied
	elapsed     time.Duration // since the start of the run
}

// share returns the fraction of the work that is done, in [0, 1): of its time if that is known, for while large files are
// in hand, the fraction of files says little, and that of bytes while small ones are. Otherwise the smaller of both counts.
func (s status) share() float64 {
	share := 0.9999 // a run that is done shows no progress
	if s.left > 0 && s.elapsed > 0 {
		return min(share, float64(s.elapsed)/float64(s.elapsed+s.left))
	}
	if s.total.files > 0 {
		share = min(share, float64(s.done.files)/float64(s.total.files))
	}
	if s.total.bytes > 0 {
		share = min(share, float64(s.done.bytes)/float64(s.total.bytes))
	}
	return max(share, 0)
}

// parts returns s in words, without the percentage. The least important part comes first.
func (s status) parts() []string {
	var parts []string
	switch {
	case s.removal:
		parts = []string{"removed " + Things(s.done.files, "entry", "entries")}
	case s.dryRun:
		parts = []string{s.files()}
	default:
		parts = []string{s.files(), s.bytes()}
	}
	if s.stalled > 0 {
		parts = append(parts, "stalled "+about(s.stalled))
	} else {
		if s.rate > 0 {
			parts = append(parts, s.speed())
		}
		if s.left > 0 {
			parts = append(parts, "ETA "+about(s.left))
		}
	}
	if s.dryRun {
		parts[len(parts)-1] += " (dry run)"
	}
	return parts
}

func (s status) files() string {
	switch {
	case s.known:
		total := Count(s.total.files)
		return fmt.Sprintf("%*s/%s", len(total), Count(s.done.files), Things(s.total.files, "file", "files"))
	case s.total.files > s.done.files:
		return Count(s.done.files) + " of at least " + Things(s.total.files, "file", "files")
	}
	return Things(s.done.files, "file", "files")
}

func (s status) speed() string {
	if s.removal {
		return Count(s.rate) + "/s"
	}
	return speed(s.rate)
}

func (s status) bytes() string {
	switch {
	case s.known:
		return sizes(s.done.bytes, s.total.bytes)
	case s.total.bytes > s.done.bytes:
		return Size(s.done.bytes) + " of " + Size(s.total.bytes) + " and counting"
	}
	return Size(s.done.bytes)
}
