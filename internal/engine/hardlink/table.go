// Package hardlink knows the entries of a source that have several names, and who waits for whom.
//
// The first worker to meet such an entry leads its group: it copies the entry. Others that come by
// meanwhile leave the name for later, and go on; once their directory has nothing else to do, it
// waits, without a worker, for the last of its groups. So no worker ever waits, and each entry is
// copied once. Copying and linking are up to the caller.
package hardlink

import (
	"sync"

	"psync/internal/vfs"
)

// A Table holds the groups of a run. P says where a name of the destination is, and W is what waits for
// groups. The zero value is empty.
type Table[P, W any] struct {
	// NamesRepeat says that a name may be met more than once, so that the number of links does not
	// tell when a group is complete.
	NamesRepeat bool

	mu     sync.Mutex // guards what follows, and what is in the groups
	groups map[vfs.ID]*Group[P, W]
	claims map[vfs.ID]vfs.ID // to entries of the destination with several names, by those of the source

	// For a comparison: which entry of the one side was met with which of the other.
	counterparts [2]map[vfs.ID]vfs.ID
}

// A Group is an entry of the source with several names. Its Table guards it.
type Group[P, W any] struct {
	id    vfs.ID
	state State
	copy  Copy[P]
	left  uint64 // names not dealt with yet
	waits []*waiter[W]
}

// A Copy is what the destination has of an entry.
type Copy[P any] struct {
	At      P      // the name that others are linked to
	ID      vfs.ID // zero if a dry run would have made it
	Partial bool   // the entry has changed while it was copied, or an attribute could not be kept
}

// A State says how far the copy of an entry is.
type State uint8

// The states.
const (
	Free   State = iota // nobody copies the entry, nor has
	Led                 // somebody is about to
	Copied              // the destination has it
)

// A waiter waits for groups.
type waiter[W any] struct {
	w   W
	led int // groups that are still led
}

// Join returns the group of an entry, or nil if it has none, and whether the caller is to
// lead it. If known is true, an entry may have fewer names than it had.
func (t *Table[P, W]) Join(attr vfs.Attr, known bool) (g *Group[P, W], lead bool) {
	if attr.Nlink < 2 && !known {
		return nil, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	g = t.groups[attr.ID()]
	if g == nil {
		if attr.Nlink < 2 {
			return nil, false
		}
		if t.groups == nil {
			t.groups = make(map[vfs.ID]*Group[P, W])
		}
		g = &Group[P, W]{id: attr.ID(), left: attr.Nlink}
		t.groups[g.id] = g
	}
	return g, t.leadLocked(g) == Free
}

// Lead has the caller lead a group if its state is Free. It returns the state from before.
func (t *Table[P, W]) Lead(g *Group[P, W]) State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.leadLocked(g)
}

func (t *Table[P, W]) leadLocked(g *Group[P, W]) State {
	was := g.state
	if was == Free {
		g.state = Led
	}
	return was
}

// Copy returns the copy of a group, if there is one.
func (t *Table[P, W]) Copy(g *Group[P, W]) (c Copy[P], ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return g.copy, g.state == Copied
}

// SetCopy ends the leading of a group, or gives it another copy, which further names are linked to. It
// returns those that now wait for nothing any more.
func (t *Table[P, W]) SetCopy(g *Group[P, W], c Copy[P]) (ready []W) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c.Partial = c.Partial || g.copy.Partial
	g.state, g.copy = Copied, c
	return g.wakeLocked()
}

// GiveUp ends the leading of a group without a copy, unless there is one already. It returns those that
// now wait for nothing any more.
func (t *Table[P, W]) GiveUp(g *Group[P, W]) (ready []W) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g.state == Led {
		g.state = Free
	}
	return g.wakeLocked()
}

func (g *Group[P, W]) wakeLocked() (ready []W) {
	for _, w := range g.waits {
		if w.led--; w.led == 0 {
			ready = append(ready, w.w)
		}
	}
	g.waits = nil
	return ready
}

// Wait has w wait until none of the groups is led any more. It returns false if that holds for one of them
// already. Once it has returned true, w may be in the hands of another worker.
func (t *Table[P, W]) Wait(w W, groups []*Group[P, W]) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, g := range groups {
		if g.state != Led {
			return false
		}
	}
	waits := &waiter[W]{w, len(groups)}
	for _, g := range groups {
		g.waits = append(g.waits, waits)
	}
	return true
}

// Done counts a name of a group that was dealt with. A group is forgotten after the last one.
func (t *Table[P, W]) Done(g *Group[P, W]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g.left--; g.left == 0 && !t.NamesRepeat {
		delete(t.groups, g.id)
	}
}

// Claim reports whether an entry of the destination that has several names can stay as what
// is called by in the source: not if it stays as something else already.
func (t *Table[P, W]) Claim(there, by vfs.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if owner, claimed := t.claims[there]; claimed {
		return owner == by
	}
	if t.claims == nil {
		t.claims = make(map[vfs.ID]vfs.ID)
	}
	t.claims[there] = by
	return true
}

// Counterparts reports whether entries of both sides, at least one of which has several
// names, were met with each other before, or never.
func (t *Table[P, W]) Counterparts(src, dst vfs.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	same := true
	for i, ids := range [2][2]vfs.ID{{src, dst}, {dst, src}} {
		if t.counterparts[i] == nil {
			t.counterparts[i] = make(map[vfs.ID]vfs.ID)
		}
		other, met := t.counterparts[i][ids[0]]
		if !met {
			t.counterparts[i][ids[0]] = ids[1]
		} else if other != ids[1] {
			same = false
		}
	}
	return same
}
