package vfstest

// names are the entries of a directory.
type names struct {
	fold  bool             // case does not count
	byKey map[string]named // nil for what is no directory
}

// A named is an inode and the name that it is listed by.
type named struct {
	name string
	node *inode
}

// key returns what the names of one entry have in common.
func (e names) key(name string) string {
	if !e.fold {
		return name
	}
	key := []byte(name)
	for i, b := range key {
		if 'A' <= b && b <= 'Z' {
			key[i] = b - 'A' + 'a'
		}
	}
	return string(key)
}

func (e names) get(name string) (*inode, bool) {
	n, ok := e.byKey[e.key(name)]
	return n.node, ok
}

// put sets an entry; one that exists keeps the spelling of its name.
func (e names) put(name string, n *inode) {
	key := e.key(name)
	if old, ok := e.byKey[key]; ok {
		name = old.name
	}
	e.byKey[key] = named{name, n}
}

func (e names) remove(name string) { delete(e.byKey, e.key(name)) }

func (e names) len() int { return len(e.byKey) }
