package gnucp

import (
	"sync"

	"psync/internal/gnucp/entry"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// copies knows where entries went of which further names may come.
type copies struct {
	mu   sync.Mutex // guards what follows
	m    map[vfs.ID]*copied
	dirs map[vfs.ID]destDir
}

// A copied is the copy of an entry that has several names.
type copied struct {
	id    vfs.ID
	in    *walk.Node[bothSides] // what place is in
	place entry.Place
	done  chan struct{} // closed when it is there, or not
	ok    bool          // it is, once done
}

// claim returns the copy of an entry, and whether that is for the caller to make.
func (c *copies) claim(it *item) (copy *copied, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := it.Attr.ID()
	if known := c.m[id]; known != nil {
		return known, false
	}
	if c.m == nil {
		c.m = make(map[vfs.ID]*copied)
	}
	c.m[id] = &copied{id: id, in: it.node, place: it.Dst, done: make(chan struct{})}
	return c.m[id], true
}

// finish says whether a claimed copy is there. One that is not is forgotten.
func (c *copies) finish(e *copied, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.ok = ok; !ok {
		delete(c.m, e.id)
	}
	close(e.done)
}

// A destDir is where a directory of the source is in the destination.
type destDir struct {
	path string
	by   int  // the number of the operand
	made bool // it is not of the source, but was made there
}

// directory returns what is known of a directory when an operand is copied.
func (c *copies) directory(id vfs.ID, by int) (at destDir, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known = c.dirs[id]
	return at, known && at.by <= by
}

// addDirectory makes a directory known, if it is not.
func (c *copies) addDirectory(id vfs.ID, at destDir) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dirs == nil {
		c.dirs = make(map[vfs.ID]destDir)
	}
	if _, known := c.dirs[id]; !known {
		c.dirs[id] = at
	}
}

// forgetDirectory undoes addDirectory.
func (c *copies) forgetDirectory(id vfs.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.dirs, id)
}
