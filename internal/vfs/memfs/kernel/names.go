package kernel

import (
	"iter"
	"strings"
)

// A Naming says how a file system treats names. The zero value uses them as they are.
type Naming struct {
	key         func(string) string // returns what all names of one entry have in common
	stored      func(string) string // returns the form in which a name is kept when an entry is made
	check       func(string) error  // returns why a name is invalid
	respells    bool                // a rename changes the spelling of the same name
	appleDouble bool                // extended attributes show as an entry "._NAME"
}

// Names are the entries of a directory.
type Names struct {
	naming *Naming
	byKey  map[string]named
}

// Folding is the Naming that ignores case.
func Folding() *Naming { return &Naming{key: strings.ToLower} }

// Names returns the Names of an empty directory.
func (n *Naming) Names() Names { return Names{n, make(map[string]named)} }

// A named is an inode and the name that it is listed by.
type named struct {
	name string
	node *Inode
}

func (e Names) check(name string) error {
	if e.naming.check == nil {
		return nil
	}
	return e.naming.check(name)
}

func (e Names) key(name string) string {
	if e.naming.key == nil {
		return name
	}
	return e.naming.key(name)
}

func (e Names) get(name string) (*Inode, bool) {
	if n, ok := e.byKey[e.key(name)]; ok {
		return n.node, true
	}
	if of := e.baseOf(name); of != nil {
		return of.appleDoubleFile(), true
	}
	return nil, false
}

// All returns the entries in no particular order.
func (e Names) All() iter.Seq2[string, *Inode] {
	return func(yield func(string, *Inode) bool) {
		for _, n := range e.byKey {
			if !yield(n.name, n.node) {
				return
			}
			if !e.naming.appleDouble {
				continue
			}
			name := appleDoublePrefix + n.name
			if e.baseOf(name) == n.node && e.byKey[e.key(name)].node == nil && !yield(name, n.node.appleDoubleFile()) {
				return
			}
		}
	}
}

// Put sets an entry. Whether an existing entry keeps the spelling of its name depends on the Naming.
func (e Names) Put(name string, n *Inode) {
	key := e.key(name)
	if e.naming.stored != nil {
		name = e.naming.stored(name)
	}
	if old, ok := e.byKey[key]; ok && !e.naming.respells {
		name = old.name
	}
	e.byKey[key] = named{name, n}
}

// Respelt reports whether renaming an entry to another spelling of its name changes anything.
func (e Names) Respelt(oldname, newname string) bool {
	return e.naming.respells && oldname != newname && e.key(oldname) == e.key(newname)
}

func (e Names) Delete(name string) {
	if of := e.baseOf(name); of != nil && e.byKey[e.key(name)].node == nil {
		of.Xattrs, of.appleDouble = nil, nil
		return
	}
	delete(e.byKey, e.key(name))
}

func (e Names) Count() int { return len(e.byKey) }

// appleDoublePrefix begins the names of files that hold the extended attributes of others.
const appleDoublePrefix = "._"

// baseOf returns the entry whose extended attributes the AppleDouble file of a name holds, or nil.
func (e Names) baseOf(name string) *Inode {
	if !e.naming.appleDouble {
		return nil
	}
	of, ok := strings.CutPrefix(name, appleDoublePrefix)
	if n := e.byKey[e.key(of)].node; ok && n != nil && len(n.Xattrs) > 0 {
		return n
	}
	return nil
}
