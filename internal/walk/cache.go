package walk

import (
	"slices"
	"sync"
)

// A Cache keeps directories open while they are in use, and some of them longer, for the entries below. When a
// closed directory is needed again, the Cache reopens it from the nearest open ancestor down. So the number of
// open directories stays bounded however deep a tree is and however many tasks wait.
//
// An open directory is represented by a value of type V.
type Cache[V any] struct {
	Limit int // how many unused directories stay open

	mu   sync.Mutex // guards what follows, and the last fields of each Node
	idle idleList[V]
}

// A Dir opens and closes one directory.
type Dir[V any] interface {
	// Open opens the directory in its parent, in. For a directory without a parent, in is the zero value. Several
	// workers may call Open at once. Open must open the same directory each time, or fail.
	Open(in V) (V, error)
	Close(v V)
}

// A ParentOpener is a Dir that may be opened from one of its subdirectories.
type ParentOpener[V any] interface {
	// OpenFrom opens the directory as the parent of child. It returns false if that fails.
	OpenFrom(child V) (v V, ok bool)
}

// A Node is the place of a directory in a Cache. [NewNode] and [NewRoot] return Nodes.
type Node[V any] struct {
	parent *Node[V]
	dir    Dir[V] // nil: the directory belongs to the caller and stays open

	// The mutex of the cache guards what follows.
	value V
	open  bool
	needs int // see Retain
	uses  int // number of current users of value
	idle  idleLink[V]
}

// NewNode returns the node of a directory that is closed. Its parent is nil if dir opens it without one.
func NewNode[V any](parent *Node[V], dir Dir[V]) Node[V] { return Node[V]{parent: parent, dir: dir} }

// NewRoot returns the node of a directory that is open, belongs to the caller, and stays open.
func NewRoot[V any](v V) Node[V] { return Node[V]{value: v, open: true} }

// Value returns the value of the open directory, which must be in use.
func (n *Node[V]) Value() V { return n.value }

// Retain records tasks that will need a directory. A directory that no task needs is closed when it is not in
// use.
func (c *Cache[V]) Retain(n *Node[V], tasks int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n.needs += tasks
}

// Release ends the need of one task.
func (c *Cache[V]) Release(n *Node[V]) {
	c.mu.Lock()
	n.needs--
	var unneeded V
	closes := n.needs == 0 && n.uses == 0 && n.open && n.dir != nil
	if closes {
		unneeded = c.takeLocked(n)
	}
	c.mu.Unlock()
	if closes {
		n.dir.Close(unneeded)
	}
}

// Use returns the value of a directory, which stays open until Done is called. If the directory is closed, Use
// opens it together with its closed ancestors, which other directories below them will also need.
func (c *Cache[V]) Use(n *Node[V]) (V, error) {
	if v, ok := c.pin(n); ok {
		return v, nil
	}
	closed := []*Node[V]{n}
	var v V
	from := n.parent
	for ; from != nil; from = from.parent {
		var ok bool
		if v, ok = c.pin(from); ok {
			break
		}
		closed = append(closed, from)
	}
	for _, n := range slices.Backward(closed) {
		sub, err := n.dir.Open(v)
		if err == nil {
			sub = c.add(n, sub)
		}
		if from != nil {
			c.Done(from)
		}
		if err != nil {
			var none V
			return none, err
		}
		v, from = sub, n
	}
	return v, nil
}

// UseParent is Use for the parent of n. If the parent is closed and n is open, the parent is opened from n,
// provided that its Dir is a [ParentOpener], so that the way back up from the bottom of a deep tree takes one
// step per directory.
func (c *Cache[V]) UseParent(n *Node[V]) (V, error) {
	up := n.parent
	if v, ok := c.pin(up); ok {
		return v, nil
	}
	if p, ok := up.dir.(ParentOpener[V]); ok {
		if child, ok := c.pin(n); ok {
			v, ok := p.OpenFrom(child)
			c.Done(n)
			if ok {
				return c.add(up, v), nil
			}
		}
	}
	return c.Use(up)
}

// Done ends a use of a directory. If too many directories are open, Done closes the least recently used one.
func (c *Cache[V]) Done(n *Node[V]) {
	c.mu.Lock()
	var toClose *Node[V]
	if n.uses--; n.uses == 0 && n.dir != nil {
		c.idle.add(n)
		switch {
		case n.needs == 0:
			toClose = n
		case c.idle.n > c.Limit:
			toClose = c.idle.first
		}
	}
	var evicted V
	if toClose != nil {
		evicted = c.takeLocked(toClose)
	}
	c.mu.Unlock()
	if toClose != nil {
		toClose.dir.Close(evicted)
	}
}

// CloseAll closes the open directories that are not in use.
func (c *Cache[V]) CloseAll() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for n := c.idle.first; n != nil; n = c.idle.first {
		n.dir.Close(c.takeLocked(n))
	}
}

// pin marks a directory as in use, unless it is closed.
func (c *Cache[V]) pin(n *Node[V]) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n.open {
		c.pinLocked(n)
	}
	return n.value, n.open
}

func (c *Cache[V]) pinLocked(n *Node[V]) {
	n.uses++
	c.idle.remove(n)
}

// add records the value of an opened directory and marks the directory as in use. If another worker has opened
// the directory first, add closes v and returns that worker's value.
func (c *Cache[V]) add(n *Node[V], v V) V {
	c.mu.Lock()
	late := n.open
	if !late {
		n.value, n.open = v, true
	}
	c.pinLocked(n)
	kept := n.value
	c.mu.Unlock()
	if late {
		n.dir.Close(v)
	}
	return kept
}

// takeLocked removes and returns the value of a directory. The caller closes it without holding the mutex,
// because closing may take a round trip.
func (c *Cache[V]) takeLocked(n *Node[V]) V {
	c.idle.remove(n)
	v := n.value
	var none V
	n.value, n.open = none, false
	return v
}
