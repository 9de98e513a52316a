package engine

import (
	"sync"

	"psync/internal/vfs"
)

// A linkTable knows the entries of the source that have several names. The first
// worker to meet one leads: it copies the entry. Others that come by
// meanwhile leave the name for later, and go on; once their directory has nothing
// else to do, it waits, without a worker, for the last of its groups. So no worker
// ever waits, and each entry is copied once.
type linkTable struct {
	mu     sync.Mutex // guards what follows, and what is in the groups
	m      map[vfs.ID]*linkGroup
	claims map[vfs.ID]vfs.ID // to entries of the destination with several names, by those of the source

	// For a comparison: which entry of the one side was met with which of the other.
	counterparts [2]map[vfs.ID]vfs.ID
}

// A linkGroup is an entry of the source with several names.
type linkGroup struct {
	id      vfs.ID
	state   groupState
	at      placedName // the name of the destination that others are linked to
	path    string     // of that, below the destination
	dest    vfs.ID     // what it is; zero if a dry run would have made it
	partial bool       // it has changed while it was copied, or an attribute could not be kept
	left    uint64     // names not dealt with yet
	waits   []*awaiting
}

type groupState uint8

const (
	unled  groupState = iota // nobody has copied the entry
	led                      // somebody is about to
	placed                   // the destination has it
)

// join returns the group of an entry, or nil if it has none, and whether the caller is to
// lead it. With known, an entry may have fewer names than it had.
func (t *linkTable) join(attr vfs.Attr, known bool) (g *linkGroup, lead bool) {
	if attr.Nlink < 2 && !known {
		return nil, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	g = t.m[attr.ID()]
	if g == nil {
		if attr.Nlink < 2 {
			return nil, false
		}
		if t.m == nil {
			t.m = make(map[vfs.ID]*linkGroup)
		}
		g = &linkGroup{id: attr.ID(), left: attr.Nlink}
		t.m[g.id] = g
	}
	lead = g.state == unled
	if lead {
		g.state = led
	}
	return g, lead
}

// claim reports whether an entry of the destination that has several names can stay as what
// is called by in the source: not if it stays as something else already.
func (t *linkTable) claim(there, by vfs.ID) bool {
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

func (t *linkTable) is(g *linkGroup, s groupState) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return g.state == s
}

// counterpart reports whether entries of both sides, at least one of which has several
// names, were met with each other before, or never.
func (t *linkTable) counterpart(src, dst vfs.ID) bool {
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

// A placedName is a name that the destination has.
type placedName struct {
	dirs *pairNode
	name string
}
