// Package hardlink keeps track of the entries of a source that have several names, so that each is copied once.
//
// The first worker that finds such an entry leads its group: it copies the entry. Workers that find another name in
// the meantime leave that for later and go on. So no worker ever waits, and each entry is copied once. The caller does
// the copying and linking.
package hardlink

import (
	"sync"

	"psync/internal/lazymap"
	"psync/internal/vfs"
)

// A Table holds the groups of a run. P is the type of a place in the destination. The zero value is empty. Its methods
// are safe for concurrent use.
type Table[P any] struct {
	// NamesRepeat says that a name may be found more than once, so that the number of links does not
	// determine when a group is complete.
	NamesRepeat bool

	mu     sync.Mutex // guards the fields below and those of the groups
	groups map[vfs.ID]*Group[P]
	claims map[vfs.ID]vfs.ID // source entries that claim destination entries with several names, by the latter

	// For a comparison: the entry of the other side that had the same name as an entry of one side.
	counterparts [2]map[vfs.ID]vfs.ID
}

// A Group is an entry of the source with several names. Its Table guards it.
type Group[P any] struct {
	id    vfs.ID
	state State
	copy  Copy[P]
	left  uint64 // names not processed yet
}

// A Copy is the destination's copy of an entry.
type Copy[P any] struct {
	At      P      // the name that others are linked to
	ID      vfs.ID // zero if a dry run would have made it
	Partial bool   // the entry changed while it was copied, or an attribute could not be kept
}

// A State says how far copying an entry has progressed.
type State uint8

// The states.
const (
	Free   State = iota // the entry is not copied, and no worker is about to copy it
	Led                 // a worker is about to copy it
	Copied              // the destination has it
)

// Join returns the group of an entry, or nil if it has none, and whether the caller now leads it. If known is true,
// the entry may have had several names before even if it has only one now.
func (t *Table[P]) Join(attr vfs.Attr, known bool) (g *Group[P], lead bool) {
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
		g = &Group[P]{id: attr.ID(), left: attr.Nlink}
		lazymap.Set(&t.groups, g.id, g)
	}
	return g, t.leadLocked(g) == Free
}

// Lead makes the caller the leader of a group if its state is Free. It returns the previous state.
func (t *Table[P]) Lead(g *Group[P]) State {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.leadLocked(g)
}

func (t *Table[P]) leadLocked(g *Group[P]) State {
	was := g.state
	if was == Free {
		g.state = Led
	}
	return was
}

// Copy returns the copy of a group; ok is false if there is none yet.
func (t *Table[P]) Copy(g *Group[P]) (c Copy[P], ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return g.copy, g.state == Copied
}

// SetCopy records the copy of a group, which further names are linked to, and ends the lead. It may be called
// again to record another copy.
func (t *Table[P]) SetCopy(g *Group[P], c Copy[P]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c.Partial = c.Partial || g.copy.Partial
	g.state, g.copy = Copied, c
}

// EndLead ends the lead of a group without a copy, unless there is one already.
func (t *Table[P]) EndLead(g *Group[P]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g.state == Led {
		g.state = Free
	}
}

// Done records that one name of a group was processed. The Table forgets the group after the last one.
func (t *Table[P]) Done(g *Group[P]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if g.left--; g.left == 0 && !t.NamesRepeat {
		delete(t.groups, g.id)
	}
}

// Claim reports whether there, an entry of the destination that has several names, may stay as the copy of the source
// entry by. It may not if it already stays as the copy of another one.
func (t *Table[P]) Claim(there, by vfs.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if owner, claimed := t.claims[there]; claimed {
		return owner == by
	}
	lazymap.Set(&t.claims, there, by)
	return true
}

// Counterparts reports whether two entries with the same name, at least one of which has several names, are
// consistent with earlier calls: each was paired with the other before, or neither was ever paired.
func (t *Table[P]) Counterparts(src, dst vfs.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	same := true
	for i, ids := range [2][2]vfs.ID{{src, dst}, {dst, src}} {
		if t.counterparts[i] == nil {
			t.counterparts[i] = make(map[vfs.ID]vfs.ID)
		}
		other, seen := t.counterparts[i][ids[0]]
		if !seen {
			t.counterparts[i][ids[0]] = ids[1]
		} else if other != ids[1] {
			same = false
		}
	}
	return same
}
