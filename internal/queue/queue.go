// Package queue hands out tasks and knows when all are done.
//
// A task is a directory to copy, or to remove. Whoever claims it may put its
// subdirectories into the queue while working, and acknowledges it at the end.
// Because children are queued before their parent is acknowledged, "no open task" is exactly the end.
//
// Whoever has a task in hand may offer parts of it to those who wait for one. An
// offer never leaves the process, and is no task: there is nothing to acknowledge.
package queue

import "context"

// A Kind says what is to be done with a directory.
type Kind uint8

// The kinds of tasks.
const (
	Copy   Kind = iota // copy it, and remove from its counterpart what it lacks if that is wanted
	Clear              // only do the removals, which had been put off
	Remove             // remove it: Removal says which
)

// A Task names one directory of one source. It is data: it holds no open handle.
type Task struct {
	Kind   Kind
	Source int    // index of the source operand
	Path   string // slash-separated, relative to that source; "" is its root
	// New says that this run made the destination directory, so that nothing
	// in it needs to be looked up. It holds for the life of the process.
	New bool
	// DefaultACL says that a New directory has inherited a default ACL, which may
	// narrow the permissions of what is created in it.
	DefaultACL bool
	// Removal is the number that this run gave to a directory to be removed. Path is "" then.
	Removal uint64
}

// A Queue hands out tasks. Its methods are safe for concurrent use.
type Queue interface {
	// Put adds tasks that no claim leads to: the roots of a run.
	Put(tasks ...Task) error
	// Claim waits for a task and returns a claim to it, or else, while there is no task, an
	// offer. It returns io.EOF once every task is acknowledged, and the context's
	// cause once ctx is done.
	Claim(ctx context.Context) (Claim, Offer, error)

	// Offer lets those who wait in Claim have o, several at a time and some more than
	// once, until it is withdrawn. want is how many are of use at once.
	Offer(o Offer, want int)
	// Withdraw ends an offer. One that is not made, or not any more, is ignored.
	Withdraw(o Offer)
	// Idle returns how many wait in Claim.
	Idle() int
}

// An Offer is a part of a task in hand, whatever that means to its owner. Offers are
// compared by ==.
type Offer any

// A Claim is a task in somebody's hands.
type Claim interface {
	Task() Task
	// Put adds tasks found while working on this one; others may claim them at once.
	Put(children ...Task) error
	// Ack ends the claim. It must be called exactly once, after the last Put.
	Ack() error
}
