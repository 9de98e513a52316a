// Package peers lets runs on several hosts share the directories of one copy.
//
// Such a run does not begin with the roots of its sources. It gets bundles of directories, and copies these with what is
// below them, except for what others take from its stack.
package peers

import (
	"context"
	"sync"
	"sync/atomic"

	"psync/internal/vfs"
)

// Peers are the runs of the other hosts.
type Peers interface {
	// Exchange gives directories to a run, and takes some of those that wait on its stack, until no host has any left, or ctx
	// ends. What the run has left to a later phase is done after that. An error ends the run.
	Exchange(ctx context.Context, s Stack) error
}

// A Stack holds the directories of a run that no worker has claimed. Only one goroutine calls its methods.
type Stack interface {
	// Put adds the directories of a bundle.
	Put(b *Bundle, dirs []Key)
	// Take takes directories that wait, n at most, the oldest first, and leaves those that fits refuses. Each of them remains
	// open in its bundle.
	Take(n int, fits func(Key) bool) []Taken
	// Waiting returns how many tasks wait.
	Waiting() int
	// Idle returns how many workers have no task.
	Idle() int
	// Changed returns a channel that receives a value when a worker gets idle, when no directory of a bundle is open any more,
	// and when more tasks wait than NotifyAbove says. Several changes may be one value.
	Changed() <-chan struct{}
	// NotifyAbove sets that number; any is allowed if it is negative. If there are more already, the channel receives a value.
	NotifyAbove(n int)
}

// A Key names a directory of a source.
type Key struct {
	Source int    // index of the source
	Path   string // below its root; "" is the root
}

// A Taken directory was taken from a stack.
type Taken struct {
	Bundle *Bundle
	Key
}

// A Bundle is a set of directories that a run copies, with what is below them. A nil *Bundle belongs to a run without peers.
type Bundle struct {
	Repeated bool         // others may have worked on it
	Alone    bool         // what is found below its directories is not copied, but held; see Found
	Skips    map[Key]bool // directories below it that others copy
	Work     Work
	In       func(id vfs.ID) bool // for LinkEntries: it has this entry of the source

	open        atomic.Int64 // directories, and removals, that are not done
	allowed     atomic.Int64 // removals
	interrupted atomic.Bool

	mu    sync.Mutex // guards what follows
	found []Key
}

// Work is what is done in the directories of a bundle.
type Work uint8

const (
	CopyAll     Work = iota // everything is copied
	LeaveLinks              // except entries that have several names, perhaps in directories of other hosts
	LinkEntries             // the entries that the bundle has are copied and linked, in its directories alone, in which others may work
	SetAttrs                // after that, its directories get their attributes
	RemoveRest              // its directories are copied once more, without those below, to remove what was left to be counted first
)

// LeavesLinks reports whether entries with several names are left to later work.
func (b *Bundle) LeavesLinks() bool { return b != nil && b.Work == LeaveLinks }

// LinksEntries reports whether only entries are dealt with, those that the bundle has.
func (b *Bundle) LinksEntries() bool { return b != nil && b.Work == LinkEntries }

// SetsAttrs reports whether directories get their attributes, and nothing else.
func (b *Bundle) SetsAttrs() bool { return b != nil && b.Work == SetAttrs }

// StaysWhole reports whether others must not take directories of the bundle, which have more to do with each other than that one
// is in another.
func (b *Bundle) StaysWhole() bool { return b.LinksEntries() || b.SetsAttrs() || b.RemovesRest() }

// RemovesRest reports whether its directories are looked at again to remove what was left.
func (b *Bundle) RemovesRest() bool { return b != nil && b.Work == RemoveRest }

// Allow allows n more removals, if the bundle removes what was left.
func (b *Bundle) Allow(n int64) { b.allowed.Add(n) }

// SpendRemoval takes one of the allowed removals, and reports whether there was one.
func (b *Bundle) SpendRemoval() bool { return !b.RemovesRest() || b.allowed.Add(-1) >= 0 }

// Add adds work that is to be done.
func (b *Bundle) Add(n int) {
	if b != nil {
		b.open.Add(int64(n))
	}
}

// Done ends such work, and reports whether none is left.
func (b *Bundle) Done(n int) (last bool) { return b != nil && b.open.Add(-int64(n)) == 0 }

// Open returns how much work is to be done.
func (b *Bundle) Open() int { return int(b.open.Load()) }

// Interrupt records that something was not done.
func (b *Bundle) Interrupt() {
	if b != nil {
		b.interrupted.Store(true)
	}
}

// Interrupted reports whether something was not done.
func (b *Bundle) Interrupted() bool { return b.interrupted.Load() }

// IsRepeated reports whether others may have worked on it.
func (b *Bundle) IsRepeated() bool { return b != nil && b.Repeated }

// Leaves reports whether a directory found below those of the bundle is left to others. It keeps those that no one copies yet.
func (b *Bundle) Leaves(d Key) bool {
	switch {
	case b == nil:
		return false
	case b.Skips[d]:
		return true
	case !b.Alone:
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.found = append(b.found, d)
	return true
}

// Found returns the directories that no one copies yet.
func (b *Bundle) Found() []Key {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.found
}
