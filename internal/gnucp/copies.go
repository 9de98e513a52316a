package gnucp

import (
	"sync"

	"psync/internal/gnucp/entry"
	"psync/internal/lazymap"
	"psync/internal/vfs"
	"psync/internal/walk"
)

// copies records the destinations of entries that may have further names.
type copies struct {
	mu   sync.Mutex // guards what follows
	m    map[vfs.ID]*copied
	dirs map[vfs.ID]destDir
}

// A copied is the copy of an entry that has several names.
type copied struct {
	id    vfs.ID
	in    *walk.Node[bothSides] // the directories that contain place
	place entry.Place
	done  chan struct{} // closed when copying has succeeded or failed
	ok    bool          // the copy exists; valid once done is closed
}

// claim returns the copy of an entry, and reports whether the caller has to make that copy.
func (c *copies) claim(it *item) (copy *copied, mine bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := it.Attr.ID()
	if known := c.m[id]; known != nil {
		return known, false
	}
	lazymap.Set(&c.m, id, &copied{id: id, in: it.node, place: it.Dst, done: make(chan struct{})})
	return c.m[id], true
}

// finish records whether a claimed copy was made. A copy that was not made is forgotten.
func (c *copies) finish(e *copied, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.ok = ok; !ok {
		delete(c.m, e.id)
	}
	close(e.done)
}

// A destDir is the location in the destination of a directory of the source.
type destDir struct {
	path string
	by   int  // the number of the operand
	made bool // this run made the directory in the destination; it is not a directory of the source
}

// directory returns the location of a directory, if it is known when the operand with number by is copied.
func (c *copies) directory(id vfs.ID, by int) (at destDir, known bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, known = c.dirs[id]
	return at, known && at.by <= by
}

// addDirectory adds a directory, unless it is known already.
func (c *copies) addDirectory(id vfs.ID, at destDir) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.dirs[id]; !known {
		lazymap.Set(&c.dirs, id, at)
	}
}

// forgetDirectory undoes addDirectory.
func (c *copies) forgetDirectory(id vfs.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.dirs, id)
}
