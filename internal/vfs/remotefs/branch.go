package remotefs

import (
	"slices"
	"sync"
	"time"

	"psync/internal/vfs"
	"psync/internal/wire"
)

// A tree guards the listings of a session.
type tree struct {
	sync.Mutex
	ahead    int // bytes that came, and that nobody has asked for yet
	promised int // bytes that may still come so
	early    int // bytes that came before their turn
	used     int // bytes of listings that Dirs use
	expected int // bytes that may still come so
	listed   map[vfs.ID]map[*Dir]bool
	// unentered has the branches that no Dir uses yet.
	unentered map[vfs.ID][]*branch
	links     map[vfs.ID]bool // files with several names that this session has changed
	anyLinks  bool            // it has changed others, too, which are not known
}

// A branch is what listings say of a directory. Its fields are guarded by the tree's mutex, but those that say what is
// in the directory do not change any more once settled is closed.
type branch struct {
	attr     *vfs.Attr // of the directory, from the listing of its parent
	coming   bool      // a request under way may bring the listing
	settled  chan struct{}
	done     bool // settled is closed: the listing is here, has failed, or does not come
	complete bool
	more     bool   // the directory has more entries, which may be asked for by cursor
	cursor   uint64 // of the listing
	failure  error
	info     *wire.DirInfo
	entries  entries
	dirs     []uint32  // where in entries directories are whose own listings may come next; until it is complete
	asked    time.Time // when the listing was asked for
	children map[string]*branch
	taken    bool // a Dir uses it, and its size counts as used
	dropped  bool // nobody will
	outdated bool // this session has changed the directory before a Dir used it
	size     int  // bytes that it takes
}

func newBranch() *branch { return &branch{settled: make(chan struct{})} }

func (b *branch) settle() {
	if !b.done {
		b.done, b.coming = true, false
		close(b.settled)
	}
}

// find returns an entry of a listing that is here. b may be nil.
func (t *tree) find(b *branch, name string) (e wire.Entry, ok bool) {
	t.Lock()
	defer t.Unlock()
	if b == nil || !b.done || !b.complete {
		return wire.Entry{}, false
	}
	return b.entries.find(name)
}

// isWhole reports whether a branch, which may be nil, has the whole listing of its directory.
func (b *branch) isWhole() bool { return b != nil && b.done && b.complete && !b.more }

// changedByLink reports whether this session may have changed a file by another of its names.
func (t *tree) changedByLink(a *vfs.Attr) bool {
	if !hasOtherNames(a) {
		return false
	}
	t.Lock()
	defer t.Unlock()
	return t.anyLinks || t.links[a.ID()]
}

// hasOtherNames reports whether an entry may have other names.
func hasOtherNames(a *vfs.Attr) bool { return a.Nlink > 1 && !a.Mode.IsDir() }

// removeUnentered records that a branch is taken or dropped.
func (t *tree) removeUnentered(b *branch) {
	id := b.attr.ID()
	t.unentered[id] = slices.DeleteFunc(t.unentered[id], func(o *branch) bool { return o == b })
	if len(t.unentered[id]) == 0 {
		delete(t.unentered, id)
	}
}

// takeChild gives the branch of a directory below b to a Dir. It returns nil if there is none that holds.
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

// release drops a branch that a Dir used, which may be nil, and what is below it.
func (t *tree) release(b *branch) {
	if b == nil {
		return
	}
	b.dropped = true // if it is still to come
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
