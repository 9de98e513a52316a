package sftpfs

import (
	"maps"
	"path"
	"sync"
)

// maxCached is how many entries of listings are remembered, and maxWays how many of paths.
const (
	maxCached = 256 << 10
	maxWays   = 1024
)

// A cache holds what listings told of the entries of open directories, by the paths of these.
type cache struct {
	mu       sync.Mutex // guards what follows, and all listings
	listings map[string]*listing
	size     int // entries of all listings
	ways     map[string]way
}

// A way is a directory, or a symbolic link, that a path led through.
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

// A listing is what is known of a directory that is open, once or several times.
type listing struct {
	opened  int
	changes int // of its entries, by this Host
	self    known
	entries map[string]known
}

// known is what is known of an entry: its attributes, or only its type if this Host has changed it since.
type known struct {
	attrs
	stale bool
	made  bool // by this Host, which has not set its times since
}

// ofType returns what is known of a new entry.
func ofType(typ uint32) known {
	return known{attrs: attrs{mode: typ & typeBits}, stale: true, made: true}
}

// open returns the listing of a directory whose attributes are a. It is used until close is called as often.
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

// begin returns the number of changes so far, for fill.
func (c *cache) begin(l *listing) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return l.changes
}

// fill remembers the entries of a directory, if there is room, and unless some were changed since begin: their
// attributes may be those from before.
func (c *cache) fill(l *listing, begun int, entries map[string]known) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if grows := len(entries) - len(l.entries); l.changes == begun && l.opened > 0 && c.size+grows <= maxCached {
		c.size += grows
		l.entries = entries
	}
}

// lookup returns what is known of an entry of a directory, or of the directory itself for ".".
func (c *cache) lookup(l *listing, name string) (known, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if name == "." {
		return l.self, true
	}
	k, ok := l.entries[name]
	return k, ok
}

// at returns the listing that holds the entry at p, if it is open, and the name of the entry there.
func (c *cache) at(p string) (*listing, string) {
	dir, name := path.Split(p)
	return c.listings[path.Clean(dir)], name
}

// changed notes that the attributes of the entry at p are not what they were.
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

// made notes that this Host has made an entry.
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

// removed notes that this Host has removed or renamed the entry at p, or has tried to.
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
	// What is opened there from now on is another directory.
	maps.DeleteFunc(c.listings, func(at string, _ *listing) bool { return isBelow(at, p) })
	maps.DeleteFunc(c.ways, func(at string, _ way) bool { return isBelow(at, p) })
}
