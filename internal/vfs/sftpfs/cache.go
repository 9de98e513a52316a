package sftpfs

import (
	"maps"
	"path"
	"sync"
)

// maxCached is how many entries of listings are cached, and maxWays how many elements of paths.
const (
	maxCached = 256 << 10
	maxWays   = 1024
)

// A cache holds what listings reported about the entries of open directories, by the paths of the directories.
type cache struct {
	mu       sync.Mutex // guards what follows, and all listings
	listings map[string]*listing
	size     int // entries of all listings
	ways     map[string]way
}

// A way is a directory or symbolic link that a path led through.
type way struct {
	attrs
	target string // of a link
}

func (c *cache) way(p string) (way, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok := c.ways[p]
	return w, ok
}

func (c *cache) learn(p string, w way) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.ways) == maxWays {
		clear(c.ways)
	}
	c.ways[p] = w
}

// A listing holds what is known about an open directory, which may be open several times.
type listing struct {
	opened  int
	changes int // made to its entries by this Host
	self    known
	entries map[string]known
}

// known is what is known about an entry: its attributes, or only its type if this Host has changed it since.
type known struct {
	attrs
	stale bool
	made  bool // this Host made it, and has not set its times since
}

// ofType returns what is known about a new entry.
func ofType(typ uint32) known {
	return known{attrs: attrs{mode: typ & typeBits}, stale: true, made: true}
}

// open returns the listing of a directory whose attributes are a. Each call of open needs a call of close.
func (c *cache) open(path string, a known) *listing {
	c.mu.Lock()
	defer c.mu.Unlock()
	l := c.listings[path]
	if l == nil {
		l = &listing{self: a}
		c.listings[path] = l
	}
	l.opened++
	return l
}

func (c *cache) close(path string, l *listing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if l.opened--; l.opened == 0 {
		c.size -= len(l.entries)
		if c.listings[path] == l {
			delete(c.listings, path)
		}
	}
}

// begin returns the number of changes so far, to be passed to fill.
func (c *cache) begin(l *listing) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return l.changes
}

// fill caches the entries of a directory if there is room, unless an entry was changed since begin: the attributes may
// then be the earlier ones.
func (c *cache) fill(l *listing, begun int, entries map[string]known) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if grows := len(entries) - len(l.entries); l.changes == begun && l.opened > 0 && c.size+grows <= maxCached {
		c.size += grows
		l.entries = entries
	}
}

// lookup returns what is known about an entry of a directory, or about the directory itself for ".".
func (c *cache) lookup(l *listing, name string) (known, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name == "." {
		return l.self, true
	}
	k, ok := l.entries[name]
	return k, ok
}

// at returns the listing of the directory that holds the entry at p, or nil if that is not open, and the entry's name.
func (c *cache) at(p string) (*listing, string) {
	dir, name := path.Split(p)
	return c.listings[path.Clean(dir)], name
}

// changed records that the attributes of the entry at p have changed; times says whether the times were set.
func (c *cache) changed(p string, times bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changedLocked(p, times)
}

func (k *known) changed(times bool) { k.stale, k.made = true, k.made && !times }

func (c *cache) changedLocked(p string, times bool) {
	delete(c.ways, p)
	if l := c.listings[p]; l != nil {
		l.self.changed(times)
	}
	l, name := c.at(p)
	if l == nil {
		return
	}
	l.changes++
	if k, ok := l.entries[name]; ok {
		k.changed(times)
		l.entries[name] = k
	}
}

// made records that this Host has made an entry.
func (c *cache) made(p string, k known) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changedLocked(path.Dir(p), false)
	c.changedLocked(p, false)
	l, name := c.at(p)
	if l == nil {
		return
	}
	if _, ok := l.entries[name]; !ok {
		if c.size == maxCached {
			return
		}
		c.size++
	}
	if l.entries == nil {
		l.entries = make(map[string]known)
	}
	l.entries[name] = k
}

// removed records that this Host has removed or renamed the entry at p, or has tried to.
func (c *cache) removed(p string, mayBeDir bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changedLocked(path.Dir(p), false)
	c.changedLocked(p, false)
	if l, name := c.at(p); l != nil {
		if _, ok := l.entries[name]; ok {
			delete(l.entries, name)
			c.size--
		}
	}
	if !mayBeDir {
		return
	}
	// A directory opened there from now on is a different one.
	maps.DeleteFunc(c.listings, func(at string, _ *listing) bool { return isBelow(at, p) })
	maps.DeleteFunc(c.ways, func(at string, _ way) bool { return isBelow(at, p) })
}
