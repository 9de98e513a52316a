package remotefs

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// A tree guards the listings of a session.
type tree struct {
	sync.Mutex
	ahead    int // bytes that came but have not been asked for yet
	promised int // more of these bytes that may still come
	early    int // bytes that came before their turn
	used     int // bytes of listings that Dirs use
	expected int // more of these bytes that may still come
	listed   map[vfs.ID]map[*Dir]bool
	// unentered has the branches that no Dir uses yet.
	unentered map[vfs.ID][]*branch
	// mayChangeLinks says that this session has changed an entry that may have other names in other directories.
	mayChangeLinks atomic.Bool
}

// A branch is what listings say about a directory. Its fields are guarded by the tree's mutex, but those that describe
// the contents of the directory no longer change once finished is closed.
type branch struct {
	attr     *vfs.Attr // of the directory, from the listing of its parent
	coming   bool      // a pending request may bring the listing
	finished chan struct{}
	done     bool // finished is closed: the listing is here, has failed, or does not come
	complete bool
	more     bool   // the directory has more entries, which may be asked for by cursor
	cursor   uint64 // of the listing
	failure  error
	info     *wire.DirInfo
	entries  entries
	dirs     []uint32  // offsets in entries of directories whose own listings may come next; until complete
	asked    time.Time // when the listing was asked for
	children map[string]*branch
	taken    bool // a Dir uses it, and its size counts as used
	dropped  bool // no Dir will use it
	outdated bool // this session changed the directory before a Dir used it
	size     int  // bytes that it takes
}

func newBranch() *branch { return &branch{finished: make(chan struct{})} }

func (b *branch) finish() {
	if !b.done {
		b.done, b.coming = true, false
		close(b.finished)
	}
}

// find returns an entry of b if its listing has come. b may be nil.
func (t *tree) find(b *branch, name string) (e wire.Entry, ok bool) {
	t.Lock()
	defer t.Unlock()
	if b == nil || !b.done || !b.complete {
		return wire.Entry{}, false
	}
	return b.entries.find(name)
}

// removeUnentered removes a branch that is taken or dropped.
func (t *tree) removeUnentered(b *branch) {
	id := b.attr.ID()
	t.unentered[id] = slices.DeleteFunc(t.unentered[id], func(o *branch) bool { return o == b })
	if len(t.unentered[id]) == 0 {
		delete(t.unentered, id)
	}
}

// takeChild gives the branch of a directory below b to a Dir. It returns nil if there is none that is still valid.
func (t *tree) takeChild(b *branch, name string) *branch {
	below := b.children[name]
	if below == nil || below.outdated {
		return nil
	}
	t.removeUnentered(below)
	below.taken = true
	t.ahead -= below.size
	t.used += below.size
	delete(b.children, name) // the Dir keeps it
	return below
}

// release drops a branch that a Dir used, and what is below it. b may be nil.
func (t *tree) release(b *branch) {
	if b == nil {
		return
	}
	b.dropped = true // it may still be coming
	t.used -= b.size
	b.size = 0
	t.forgetChildren(b)
}

// forgetChildren forgets what is below b and was not taken.
func (t *tree) forgetChildren(b *branch) {
	for _, below := range b.children {
		t.removeUnentered(below)
		t.ahead -= below.size
		below.dropped, below.entries = true, entries{}
		t.forgetChildren(below)
	}
	b.children = nil
}
