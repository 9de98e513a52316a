// Package listing receives the listings of directories of a psync on another host, and those of the directories below
// that come ahead, within limits.
package listing

import (
	"sync"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// A Tree guards the listings of a session, and limits what they take.
type Tree struct {
	mu       sync.Mutex // guards what follows
	ahead    int        // bytes that came but have not been asked for yet
	promised int        // more of these bytes that may still come
	early    int        // bytes that came before their turn
	used     int        // bytes of listings that Dirs use
	expected int        // more of these bytes that may still come
}

// A Listing is a listing until it is read, and what came ahead of the directories below. Its fields are guarded by the
// tree's mutex, but those that describe the contents of the directory no longer change once finished is closed.
type Listing struct {
	coming   bool // a pending request may bring the listing
	finished chan struct{}
	done     bool // finished is closed: the listing is here, has failed, or does not come
	complete bool
	more     bool   // the directory has more entries, which may be asked for by cursor
	tooLong  bool   // it comes only if the directory alone is listed
	cursor   uint64 // of the listing
	failure  error
	info     *wire.DirInfo
	entries  entries
	inOrder  []string            // names of directories whose own listings may come next; until complete
	below    map[string]*Listing // by the names of the directories listed; nil: nothing came ahead
	asked    time.Time           // when the listing was asked for
	taken    bool                // a Dir uses it, and its size counts as used
	dropped  bool                // no Dir will use it
	outdated bool                // entries were changed before it came: directories may be others than those listed
	size     int                 // bytes that it takes
}

// New returns a listing that a Dir uses and that has not been asked for.
func New() *Listing {
	b := newListing()
	b.taken = true
	return b
}

// IsExpected reports whether a listing has come or may come.
func (t *Tree) IsExpected(b *Listing) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return b.coming || b.done
}

// Done returns a channel that is closed when the listing is here, has failed, or does not come. The methods below may
// be called then.
func (b *Listing) Done() <-chan struct{} { return b.finished }

// Result reports whether the listing is here, or why the directory could not be listed. Neither is the case if another
// request was to bring it and has not.
func (b *Listing) Result() (complete bool, err error) { return b.complete, b.failure }

// HasMore reports whether the directory has more entries than came at once.
func (b *Listing) HasMore() bool { return b.more }

// Info returns what came with the listing about the directory, and when that was asked for. It may be nil.
func (b *Listing) Info() (info *wire.DirInfo, asked time.Time) { return b.info, b.asked }

// Each calls yield with all entries, in batches. Metadata beyond their attributes are those that p asked for.
func (b *Listing) Each(p vfs.Preparation, yield func([]vfs.Entry) error) error {
	return b.entries.each(p, yield)
}

func newListing() *Listing { return &Listing{finished: make(chan struct{})} }

func (b *Listing) finish() {
	if !b.done {
		b.done, b.coming = true, false
		close(b.finished)
	}
}

// isMissing reports whether a listing has not come, and no request brings it.
func (b *Listing) isMissing() bool {
	return b == nil || b.done && !b.complete && !b.tooLong && b.failure == nil
}

// Drop forgets that a directory below b was listed, and what came ahead of it. b may be nil.
func (t *Tree) Drop(b *Listing, name string) {
	if b == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	b.outdated = b.outdated || !b.done
	t.dropUnused(b.below[name])
	delete(b.below, name)
}

// Read drops the entries of a branch, which have been read, but not what came ahead of directories below.
func (t *Tree) Read(b *Listing) {
	t.mu.Lock()
	defer t.mu.Unlock()
	b.entries = entries{}
	left := 0
	for name := range b.below {
		left += entryOverhead + len(name)
	}
	if left < b.size {
		t.used -= b.size - left
		b.size = left
	}
}

// Release drops a branch that a Dir used, and what is below it. b may be nil.
func (t *Tree) Release(b *Listing) {
	if b == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	b.dropped = true // it may still be coming
	t.used -= b.size
	b.size = 0
	t.dropBelow(b)
}

// dropBelow drops what is below b and was not taken.
func (t *Tree) dropBelow(b *Listing) {
	for _, below := range b.below {
		t.dropUnused(below)
	}
	b.below = nil
}

// entered stands for a listing that was given to a Dir.
var entered = &Listing{}

// dropUnused drops a branch, unless that is nil or was given to a Dir.
func (t *Tree) dropUnused(b *Listing) {
	if b == nil || b == entered {
		return
	}
	t.ahead -= b.size
	b.dropped, b.entries = true, entries{}
	t.dropBelow(b)
}
