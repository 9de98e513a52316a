// Package queue defines what hosts share that work on one job: bundles of directories and claims to them, records of
// what is done, and the members and rounds of the job.
//
// The scheduler of each host is its own stack. Only what others are to work on goes through a [Queue], in bundles. A
// bundle names directories and nothing else: flags, roots, and the right to remove anything come from the command line
// of each host.
//
// Every request may be repeated, because an answer may get lost. Requests carry identifiers for that.
package queue

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"strings"
	"time"
)

var (
	// ErrTaken is the error for a claim that has ended: another host has taken the bundle, or its round is over.
	ErrTaken = errors.New("the claim has ended")
	// ErrEmpty is the error for a request for a bundle when none can be claimed. See [State] for when that changes.
	ErrEmpty = errors.New("no directories wait")
	// ErrRound is the error for a request that belongs to another round.
	ErrRound = errors.New("another round has begun")
	// ErrClosed is the error for any change of a job that has ended.
	ErrClosed = errors.New("the job has ended")
	// ErrUnknown is the error for a member that has not joined, or that has left.
	ErrUnknown = errors.New("this process is not a member of the job")
	// ErrLost is the error for all requests to a queue that has lost something which it had answered for. What this process
	// believes to hold, others may be given at once. It must end, and join anew.
	ErrLost = errors.New("the server has lost a part of the job")
	// ErrTooLarge is the error for what exceeds one of the limits.
	ErrTooLarge = errors.New("too large")
	// ErrDenied is the error for a change that the server does not allow this process, as it only watches.
	ErrDenied = errors.New("the credentials allow no changes of the job")
	// ErrPath is the error for a path that does not name a directory below a root.
	ErrPath = errors.New("not a path below a root")
)

// A Queue holds one job. Its methods are safe for concurrent use. Apart from those above, an error means that it is
// unknown whether the request was carried out: the caller repeats it, unchanged, as long as its lease lasts.
type Queue interface {
	// Join adds a member. The facts of the first one are those of the job. The error is a *[DifferenceError] if those
	// of m differ.
	Join(ctx context.Context, m Member) error
	// Report renews the lease of a member and replaces its status. A report with a smaller Seq than an earlier one
	// changes no status.
	Report(ctx context.Context, member ID, s Status) error
	// Leave ends a membership. Claims are given back before.
	Leave(ctx context.Context, member ID) error

	// Claim takes the oldest bundle of the given round that waits or whose lease has lapsed. Of several hosts one takes
	// it. A repeated request returns the same claim, the lease of which it does not renew, or ErrTaken.
	Claim(ctx context.Context, member, request ID, round int) (Claim, error)
	// Put adds bundles that c leads to, all or none, and only if c has not ended. Together they keep the limit of
	// CheckBundles. A bundle that was put before is ignored. The zero Claim stands for the keeper, which puts bundles of the next round before it begins.
	Put(ctx context.Context, c Claim, bundles ...Bundle) error
	// Renew makes the lease of c begin anew, by the clock of the server. That works for a lapsed one too, unless
	// another host has taken the bundle.
	Renew(ctx context.Context, c Claim) error
	// Finish removes the bundle of c. Everything that c leads to must have been put and recorded. ErrTaken for a
	// request that is repeated may mean that an earlier one was carried out.
	Finish(ctx context.Context, c Claim) error
	// GiveBack lets others claim the bundle of c. This attempt does not count. See Finish for ErrTaken.
	GiveBack(ctx context.Context, c Claim) error

	// Append adds a record to those of the job, unless its round is over or it was added before. A queue remembers which
	// were for some leases.
	Append(ctx context.Context, r Record) error
	// Records returns records that follow an offset, in order, or none at the end. Offset 0 is the beginning.
	Records(ctx context.Context, after uint64) ([]Record, error)

	// Begin begins the round that follows the present one. Claims of that one have ended.
	Begin(ctx context.Context, r Round) error
	// Close ends the job. Nothing can be changed any more.
	Close(ctx context.Context, exitStatus int) error

	// State returns what is true at one moment, which is not before the call.
	State(ctx context.Context) (State, error)
	// Watch returns a channel that receives a value after changes, and one at once. Several changes may be one value.
	// Renewals are no changes, nor is time that passes.
	Watch(ctx context.Context, t Topic) (<-chan struct{}, error)
	// Lost returns a channel that is closed as soon as ErrLost is the error for all requests. It is nil for a queue that
	// loses nothing.
	Lost() <-chan struct{}
}

// A Topic is what a caller of Watch waits for.
type Topic uint8

const (
	Work  Topic = iota // bundles, rounds, members and their status
	Added              // records
)

// An ID identifies a bundle, a record, a member or a request.
type ID [16]byte

// NewID returns an identifier that no one else has.
func NewID() (id ID) {
	_, _ = rand.Read(id[:]) // never fails
	return id
}

// A Phase is what the hosts do in a round.
type Phase uint8

const (
	Copy   Phase = iota // directories are walked
	Link                // names of entries with several names are linked
	Remove              // deferred removals are carried out
	Last                // directories get their last attributes
	Audit               // the keeper finds out what is missing
)

// A Round is a period in which all hosts are in the same phase. It is over when no bundle is left and each member has
// finished.
type Round struct {
	N     int // counts from 1; 0: none has begun
	Phase Phase
}

// A Dir is a directory to look at.
type Dir struct {
	Root int    // the index of the root
	Path string // below the root; "." is the root itself
}

// Contains reports whether a directory is below another one, or the same.
func (d Dir) Contains(other Dir) bool {
	if d.Root != other.Root || d.Path == "." || d.Path == other.Path {
		return d.Root == other.Root
	}
	rest, ok := strings.CutPrefix(other.Path, d.Path)
	return ok && rest[0] == '/'
}

// A Bundle is a set of directories that one host works on, with what is below them, or a part of the work in the directories of
// a list.
type Bundle struct {
	ID      ID
	Round   Round
	Attempt int // how many attempts count as made before it was put
	Dirs    []Dir
	Part    Part `json:",omitzero"`
}

// A Part is one of the parts of the work of a round in the directories of a list, which the keeper has recorded. In a round of
// phase Link, it has some of the entries of each directory, in others some of the directories.
type Part struct {
	N, Of int    // counts from 0; Of is 0 if there is none
	List  uint64 // the list begins after this offset of the records
}

// NewPart returns a bundle of the keeper. Its identifier does not depend on where the list begins, since a keeper that is started
// again may record it once more.
func NewPart(r Round, p Part) Bundle {
	b := NewBundle(Claim{}, r, []Dir{{Root: p.N, Path: "part"}, {Root: p.Of, Path: "of"}})
	b.Dirs, b.Part = nil, p
	return b
}

// NewBundle returns a bundle that c leads to. Its identifier depends on its contents and on c alone.
func NewBundle(c Claim, r Round, dirs []Dir) Bundle {
	h := sha256.New()
	number := func(n uint64) { _, _ = h.Write(binary.LittleEndian.AppendUint64(nil, n)) }
	_, _ = h.Write(c.Bundle.ID[:])
	number(c.Revision)
	number(uint64(r.N))
	for _, d := range dirs {
		number(uint64(d.Root))
		number(uint64(len(d.Path)))
		_, _ = h.Write([]byte(d.Path))
	}
	return Bundle{ID: ID(h.Sum(nil)[:len(ID{})]), Round: r, Dirs: dirs}
}

// A Claim is the right to work on a bundle until its lease lapses.
type Claim struct {
	Bundle   Bundle
	Attempt  int    // Bundle.Attempt, and how often the bundle was claimed and not given back, this time included
	Revision uint64 // increases with each claim of the job; renewals keep it
	// Restarted is set if the server was started again before, so that it may have lost earlier claims of the bundle.
	Restarted bool
	// Left holds the directories of other bundles of the round that are below Bundle.Dirs, and those that are among them
	// and were put later. Earlier holders of this bundle, or of one that it comes from, have put them. They are no part of
	// this claim: other hosts may be working on them.
	Left []Dir
}

// A Record is a batch of records of the journal.
type Record struct {
	ID     ID
	Round  int
	Data   []byte
	Offset uint64 // set by the queue
}

// A Member is a process that works on the job.
type Member struct {
	ID    ID
	Name  string // of the host, for people
	Facts Facts
	Status
	// What follows is set by State.

	Age  time.Duration // since it joined or reported last, by the clock of the server
	Lost bool          `json:"-"` // another host has taken a bundle that it held
}

// A Status is what a member reports.
type Status struct {
	Seq      uint64 // increases with each report
	Hungry   bool   // it has workers without work
	Finished int    // the last round in which nothing is left to do for it

	Figures Figures
	At      string    // a path that it works on, for people; "": none
	Hanging []Call    // calls that have not returned for long, the longest first
	Journal *Progress // what the journal of the job proves so far, if this process keeps it
}

// Figures are what a process has done since it joined.
type Figures struct {
	Files, Bytes int64 // copied, or found to be current, or failed
	Removed      int64 // entries
	Failed       int64 // entries
	Rate         int64 // bytes copied a second, of late
}

// A Call is one that has not returned yet.
type Call struct {
	Name string // of the system call, or of the operation; "": it is not known
	Path string
	For  time.Duration
}

// A Progress is how far a job has come. The process that keeps the journal reports it.
type Progress struct {
	Found, Done, Failed int64         // directories
	Missing             int64         // of those found, by the last audit, neither done nor failed
	Files, Bytes        int64         // that the sources hold; 0: they have not been counted
	Gone                Figures       // of members that have left or were lost, as far as they reported them
	Elapsed             time.Duration // since the job began
}

// A State describes a job.
type State struct {
	Round   Round
	Waiting int           // bundles of the round that no one has claimed
	Held    int           // those that are claimed, lapsed ones included
	Lapse   time.Duration // until the first of those can be taken; at most 0: now
	Members []Member
	Records uint64 // the offset of the last record, or of something behind it that Records passes over
	Closed  bool
	Status  int // the exit status of a closed job
}

// Drained reports whether no bundle of the round is left. That is final, since only holders put bundles of the round.
func (s State) Drained() bool { return s.Waiting == 0 && s.Held == 0 }

// Claimable reports whether there is a bundle to claim.
func (s State) Claimable() bool { return s.Waiting > 0 || s.Held > 0 && s.Lapse <= 0 }
