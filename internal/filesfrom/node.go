package filesfrom

import (
	"slices"

	"psync/internal/lazymap"
)

// A node is a path in a trie of path elements.
type node struct {
	listed bool
	isDir  bool // listed with a slash at the end
	below  map[string]*node
	names  []string // keys of below, sorted
}

// add adds the path that names lead to.
func (n *node) add(names []string, isDir bool) {
	for _, name := range names {
		next := n.below[name]
		if next == nil {
			next = new(node)
			lazymap.Set(&n.below, name, next)
		}
		n = next
	}
	n.listed = true
	n.isDir = n.isDir || isDir || len(names) == 0
}

// sort makes the names of all nodes known.
func (n *node) sort() {
	n.names = make([]string, 0, len(n.below))
	for name, next := range n.below {
		n.names = append(n.names, name)
		if next.below != nil {
			next.sort()
		}
	}
	slices.Sort(n.names)
}
