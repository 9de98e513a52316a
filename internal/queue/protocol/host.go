// Package protocol decides, without I/O, what hosts that share a queue do next.
//
// A host works on its claims with the workers that it has. A claim is finished when every directory that it leads to is
// done and recorded, or put for others. When no bundle of a round is left, each host carries out what it has left to the
// end of the phase, and reports that it has finished. Then the keeper begins the next round. What was lost on the way,
// with a host or by the queue, is found by an audit of the records, and put again.
//
// No two hosts may change a directory at a time. What has been put from a claim does not belong to it any more. And a
// host ends before a lease of it can lapse, by a timer of the kernel: see [Fence].
package protocol

import (
	"slices"
	"time"

	"psync/internal/queue"
)

const (
	// Lease is how long a host may be silent. With 8 s, healthy hosts lost theirs under load.
	Lease = time.Minute
	// HungerDelay is how long workers have no work before their host reports it.
	HungerDelay = 50 * time.Millisecond
	// MaxFrontier is how many directories may wait on the stack of a host before it puts some whether or not others
	// are hungry.
	MaxFrontier = 100_000
	// aloneFrom and abandonFrom are attempts. A directory that ends its host must not take others with it for ever.
	aloneFrom, abandonFrom = 3, 5
	// partAttempts is how many attempts count as made with a part of what has ended two hosts. One more, and it is dealt
	// with alone, too.
	partAttempts = 1
)

// Fence returns when a host must be gone unless a lease is renewed again. sent is when the last renewal was sent that
// succeeded, or the request that began the lease, the first one if it was repeated. It is not when the answer came: a
// host that was stopped meanwhile would believe that it still has all of its lease. The last eighth is for clocks that
// do not run alike, and for the end of the process.
func Fence(sent time.Time, lease time.Duration) time.Time { return sent.Add(lease - lease/8) }

// RenewAt returns when to send the next renewal.
func RenewAt(sent time.Time, lease time.Duration) time.Time { return sent.Add(lease / 4) }

// A Treatment is how a host deals with a bundle that it has claimed.
type Treatment uint8

const (
	Share    Treatment = iota // together with other claims
	Alone                     // without other claims; what is found below it is put, by Parts
	GiveBack                  // because the host has other claims; it finishes these before it claims anything
	Split                     // put its parts, and finish it
	Abandon                   // record that its directory failed, with what is below that, and finish it
)

// Treat returns how to deal with a claim, given the number of other claims of the host. A directory that ends hosts is
// found by taking apart what it is in. The rest of that goes on as usual.
func Treat(c queue.Claim, others int) Treatment {
	switch {
	case c.Attempt < aloneFrom:
		return Share
	case len(c.Bundle.Dirs) > 1:
		return Split
	case c.Attempt >= abandonFrom:
		return Abandon
	case others > 0:
		return GiveBack
	default:
		return Alone
	}
}

// Parts returns the bundles in which directories are put that are the parts of a claim, or are found below it, if it is
// one to split or to deal with alone.
func Parts(c queue.Claim, dirs []queue.Dir) []queue.Bundle {
	var parts []queue.Bundle
	for half := range slices.Chunk(dirs, max(min((len(dirs)+1)/2, queue.MaxDirs), 1)) {
		b := queue.NewBundle(c, c.Bundle.Round, half)
		b.Attempt = partAttempts
		parts = append(parts, b)
	}
	return parts
}

// ToPut returns how many of the directories that wait on the stack of a host, the oldest of them, it puts for others. It
// keeps half at least.
func ToPut(waiting int, s queue.State) int {
	hungry := -s.Waiting
	for _, m := range s.Members {
		if m.Hungry {
			hungry++
		}
	}
	if hungry <= 0 && waiting <= MaxFrontier {
		return 0
	}
	return min(waiting/2, queue.MaxDirs)
}

// Work is what is left to do for a claim.
type Work struct {
	Unput      bool // directories were taken from the stack, and it is not known yet that they were put
	Unrecorded bool // records are not known yet to be appended
	Dirs       bool // directories are on the stack or in hand
}

// A WorkStep is what a host does next for a claim.
type WorkStep uint8

const (
	Put WorkStep = iota
	Append
	Walk
	Finish
)

// Next returns the next step. While one waits for an answer, the workers may go on.
func (w Work) Next() WorkStep {
	switch {
	case w.Unput:
		return Put
	case w.Unrecorded:
		return Append
	case w.Dirs:
		return Walk
	default:
		return Finish // last, or what is lost with this process is lost to the round
	}
}

// A Host is what a process knows about its part in a job.
type Host struct {
	Round    int  // that it takes part in
	Finished int  // the last round that it has reported to be finished
	Claims   int  // that it holds
	Alone    bool // one of them must be dealt with alone, or one was given back because of that
	Idle     bool // some of its workers have no work
	Deferred bool // it has work that the end of this phase carries out, or records of that to append
	Leaving  bool // it was interrupted, and no file is in hand
}

// A Step is what a host does next, apart from work on its claims.
type Step uint8

const (
	Wait     Step = iota // for a change, or until State.Lapse
	Enter                // take part in the present round
	Claim                // request a bundle
	EndPhase             // carry out what was left to the end of the phase
	Report               // that the round is finished
	Return               // give back all claims
	Leave
	Die // others may have what it believes to hold
	End // the job has ended
)

// Next returns the next step, given a state of the job.
func (h Host) Next(s queue.State) Step {
	switch {
	case s.Closed:
		return End
	case s.Round.N != h.Round && h.Claims > 0:
		return Die
	case h.Leaving && h.Claims > 0:
		return Return
	case h.Leaving:
		return Leave
	case s.Round.N != h.Round:
		return Enter
	case s.Drained() && h.Claims == 0 && h.Deferred:
		return EndPhase
	case s.Drained() && h.Claims == 0 && h.Finished < h.Round:
		return Report
	case h.Idle && !h.Alone && s.Claimable():
		return Claim
	default:
		return Wait
	}
}
