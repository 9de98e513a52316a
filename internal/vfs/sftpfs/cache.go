package sftpfs

import (
	"maps"
	"path"
	"sync"
)

// maxKnown is how many entries a cache holds.
const maxKnown = 128 << 10

// A cache holds what must be known of entries before they are opened or changed, by their paths: their types and, of
// directories and of links that paths led through, what a path or OpenDir needs. Lstat of an entry does not use it.
type cache struct {
	mu      sync.Mutex // guards what follows
	entries map[string]known
	changes int // made by this Host
}

// known is what is known about an entry: its attributes, or only its type if this Host has changed it since.
type known struct {
	attrs
	target string // of a link that a path led through
	stale  bool
	made   bool // this Host made it, and has not set its times since
	change int  // the last one of it
}

// ofType returns what is known about a new entry.
func ofType(typ uint32) known {
	return known{attrs: attrs{mode: typ & typeBits}, stale: true, made: true}
}

// get returns what is known about the entry at p.
func (c *cache) get(p string) (known, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.entries[p]
	return k, ok
}

// begin returns the number of changes so far, to be passed to learn.
func (c *cache) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.changes
}

// learn records what the server says about the entry at p, unless this Host has changed the entry since begin: the
// answer may then be the earlier one.
func (c *cache) learn(p string, begun int, k known) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries[p].change <= begun {
		c.setLocked(p, k)
	}
}

func (c *cache) setLocked(p string, k known) {
	if len(c.entries) >= maxKnown {
		clear(c.entries)
	}
	c.entries[p] = k
}

// changed records that the attributes of the entry at p have changed; times says whether the times were set.
func (c *cache) changed(p string, times bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changedLocked(p, times)
}

func (c *cache) changedLocked(p string, times bool) {
	c.changes++
	if k, ok := c.entries[p]; ok {
		k.stale, k.made, k.change = true, k.made && !times, c.changes
		c.entries[p] = k
	}
}

// made records that this Host has made an entry.
func (c *cache) made(p string, k known) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changedLocked(path.Dir(p), false)
	k.change = c.changes
	c.setLocked(p, k)
}

// removed records that this Host has removed or renamed the entry at p, or has tried to, and for a directory with
// entries also what is below it.
func (c *cache) removed(p string, below bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changedLocked(path.Dir(p), false)
	delete(c.entries, p)
	if below {
		maps.DeleteFunc(c.entries, func(at string, _ known) bool { return isBelow(at, p) })
	}
}
