package walk

// An idleList is a list of open directories that are not in use. Its links are in the nodes, so that it takes no memory.
type idleList[V any] struct {
	first, last *Node[V] // the least and the most recently used
	n           int
}

// An idleLink holds the links of a Node in an idleList.
type idleLink[V any] struct {
	listed     bool
	prev, next *Node[V]
}

// add adds a node as the most recently used.
func (l *idleList[V]) add(n *Node[V]) {
	n.idle = idleLink[V]{listed: true, prev: l.last}
	if l.last != nil {
		l.last.idle.next = n
	} else {
		l.first = n
	}
	l.last = n
	l.n++
}

// remove removes a node, unless it is not in the list.
func (l *idleList[V]) remove(n *Node[V]) {
	if !n.idle.listed {
		return
	}
	prev, next := n.idle.prev, n.idle.next
	if prev != nil {
		prev.idle.next = next
	} else {
		l.first = next
	}
	if next != nil {
		next.idle.prev = prev
	} else {
		l.last = prev
	}
	n.idle = idleLink[V]{}
	l.n--
}
