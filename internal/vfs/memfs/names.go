package memfs

import (
	"iter"
	"strings"
)

// A naming is how a file system treats names. The zero value takes them as they are.
type naming struct {
	key        func(string) string // what names of one entry have in common
	stored     func(string) string // what becomes of a name when an entry is made
	check      func(string) error  // why a name is none
	respells   bool                // a rename changes the spelling of the same name
	companions bool                // extended attributes show as an entry "._NAME"
}

// names are the entries of a directory.
type names struct {
	naming *naming
	byKey  map[string]named // nil for what is no directory
}

// A named is an inode and the name that it is listed by.
type named struct {
	name string
	node *inode
}

func (e names) check(name string) error {
	if e.naming == nil || e.naming.check == nil {
		return nil
	}
	return e.naming.check(name)
}

func (e names) key(name string) string {
	if e.naming == nil || e.naming.key == nil {
		return name
	}
	return e.naming.key(name)
}

func (e names) get(name string) (*inode, bool) {
	if n, ok := e.byKey[e.key(name)]; ok {
		return n.node, true
	}
	if of := e.companionOf(name); of != nil {
		return of.asCompanion(), true
	}
	return nil, false
}

// all returns the entries in no particular order.
func (e names) all() iter.Seq2[string, *inode] {
	return func(yield func(string, *inode) bool) {
		for _, n := range e.byKey {
			if !yield(n.name, n.node) {
				return
			}
			if !e.naming.companions {
				continue
			}
			beside := companionPrefix + n.name
			if e.companionOf(beside) == n.node && e.byKey[e.key(beside)].node == nil && !yield(beside, n.node.asCompanion()) {
				return
			}
		}
	}
}

// put sets an entry; one that exists keeps the spelling of its name, or not.
func (e names) put(name string, n *inode) {
	key := e.key(name)
	if e.naming.stored != nil {
		name = e.naming.stored(name)
	}
	if old, ok := e.byKey[key]; ok && !e.naming.respells {
		name = old.name
	}
	e.byKey[key] = named{name, n}
}

// respelt reports whether renaming an entry to another spelling of its name is
// more than nothing.
func (e names) respelt(oldname, newname string) bool {
	return e.naming.respells && e.key(oldname) == e.key(newname)
}

func (e names) remove(name string) {
	if of := e.companionOf(name); of != nil && e.byKey[e.key(name)].node == nil {
		of.xattrs, of.companion = nil, nil
		return
	}
	delete(e.byKey, e.key(name))
}

func (e names) count() int { return len(e.byKey) }

// companionPrefix begins the names of files that hold the extended attributes of others.
const companionPrefix = "._"

// companionOf returns the entry whose extended attributes name shows, or nil.
func (e names) companionOf(name string) *inode {
	if e.naming == nil || !e.naming.companions {
		return nil
	}
	of, ok := strings.CutPrefix(name, companionPrefix)
	if n := e.byKey[e.key(of)].node; ok && n != nil && len(n.xattrs) > 0 {
		return n
	}
	return nil
}

// lowerASCII returns name with capitals made small, but for those beyond ASCII.
func lowerASCII(name string) string {
	key := []byte(name)
	for i, b := range key {
		if 'A' <= b && b <= 'Z' {
			key[i] = b - 'A' + 'a'
		}
	}
	return string(key)
}
