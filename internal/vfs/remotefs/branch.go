package remotefs

import (
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/wire"
)

// A tree guards the listings of a session, and limits what they take.
type tree struct {
	sync.Mutex
	ahead    int          // bytes that came but have not been asked for yet
	promised int          // more of these bytes that may still come
	early    int          // bytes that came before their turn
	used     int          // bytes of listings that Dirs use
	expected int          // more of these bytes that may still come
	made     atomic.Int64 // directories that were made and not entered yet
}

// A branch is a listing until it is read, and what came ahead of the directories below. Its fields are guarded by the
// tree's mutex, but those that describe the contents of the directory no longer change once finished is closed.
type branch struct {
	coming   bool // a pending request may bring the listing
	finished chan struct{}
	done     bool // finished is closed: the listing is here, has failed, or does not come
	complete bool
	more     bool   // the directory has more entries, which may be asked for by cursor
	cursor   uint64 // of the listing
	failure  error
	info     *wire.DirInfo
	entries  entries
	inOrder  []string           // names of directories whose own listings may come next; until complete
	below    map[string]*branch // by the names of the directories listed; nil: nothing came ahead
	asked    time.Time          // when the listing was asked for
	taken    bool               // a Dir uses it, and its size counts as used
	dropped  bool               // no Dir will use it
	outdated bool               // entries were changed before it came: directories may be others than those listed
	size     int                // bytes that it takes
}

func newBranch() *branch { return &branch{finished: make(chan struct{})} }

func (b *branch) finish() {
	if !b.done {
		b.done, b.coming = true, false
		close(b.finished)
	}
}

// takeBelow gives what came ahead of a directory below b to a Dir. listed reports whether the directory was listed. b
// may be nil.
func (t *tree) takeBelow(b *branch, name string) (below *branch, listed bool) {
	t.Lock()
	defer t.Unlock()
	if b == nil || !b.complete || b.outdated {
		return nil, false
	}
	if below, listed = b.below[name]; below != nil {
		b.below[name] = nil // the Dir keeps it
		below.taken = true
		t.ahead -= below.size
		t.used += below.size
	}
	return below, listed
}

// drop forgets that a directory below b was listed, and what came ahead of it. b may be nil.
func (t *tree) drop(b *branch, name string) {
	if b == nil {
		return
	}
	t.Lock()
	defer t.Unlock()
	b.outdated = b.outdated || !b.done
	if below := b.below[name]; below != nil {
		t.dropUnused(below)
	}
	delete(b.below, name)
}

// read drops the entries of a branch, which have been read, but not what came ahead of directories below.
func (t *tree) read(b *branch) {
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

// release drops a branch that a Dir used, and what is below it. b may be nil.
func (t *tree) release(b *branch) {
	if b == nil {
		return
	}
	b.dropped = true // it may still be coming
	t.used -= b.size
	b.size = 0
	t.dropBelow(b)
}

// dropBelow drops what is below b and was not taken.
func (t *tree) dropBelow(b *branch) {
	for _, below := range b.below {
		if below != nil {
			t.dropUnused(below)
		}
	}
	b.below = nil
}

func (t *tree) dropUnused(b *branch) {
	t.ahead -= b.size
	b.dropped, b.entries = true, entries{}
	t.dropBelow(b)
}
