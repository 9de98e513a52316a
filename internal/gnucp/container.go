package gnucp

import (
	"strings"

	"psync/internal/gnucp/entry"
	"psync/internal/localfs"
	"psync/internal/walk"
)

// A container is the pair of directories, one per side, that an operand is in. It stays the same pair even if
// the paths that lead to the directories change.
type container struct {
	walk.Node[bothSides]
	src, dst side
	identity identity
}

// A side of a container is a directory that either stays open or is opened by its name in another directory.
type side struct {
	open     localfs.At // the directory, if it stays open; otherwise zero
	in       localfs.At // the directory that name is relative to, if open is zero; zero: that side of the container's parent
	name     string
	path     string // the path in messages
	nofollow bool   // this run made the directory, so no link leads to it
}

// newContainer returns a container inside parent, or inside the working directory if parent is nil.
func newContainer(parent *walk.Node[bothSides], src, dst side) *container {
	c := &container{src: src, dst: dst}
	c.Node = walk.NewNode[bothSides](parent, c)
	return c
}

// Open opens both sides of c; see [walk.Dir].
func (c *container) Open(in bothSides) (bothSides, error) {
	opened := bothSides{from: c.src.open, to: c.dst.open}
	err := c.src.search(in.from, &opened.from)
	if err == nil {
		err = c.dst.search(in.to, &opened.to)
	}
	if err == nil {
		if err = c.identity.verify(c.own(opened)); err != nil {
			err = cannotOpen(c.dst.path, err)
		}
	}
	if err != nil {
		c.Close(opened)
		return bothSides{}, err
	}
	return opened, nil
}

// own returns the sides that were opened for c.
func (c *container) own(opened bothSides) bothSides {
	if c.src.name == "" {
		opened.from = localfs.At{}
	}
	if c.dst.name == "" {
		opened.to = localfs.At{}
	}
	return opened
}

func (s *side) search(in localfs.At, opened *localfs.At) error {
	if s.name == "" {
		return nil
	}
	if s.in != (localfs.At{}) {
		in = s.in
	}
	at, err := in.SearchAt(s.name, !s.nofollow)
	if err != nil {
		return cannotOpen(s.path, err)
	}
	*opened = at
	return nil
}

// Close closes the directories that Open opened.
func (c *container) Close(opened bothSides) { c.own(opened).Close() }

// A site is the location of an operand on both sides.
type site struct {
	node     *walk.Node[bothSides] // the directories that contain both sides
	src, dst entry.Place           // the places in these directories
}

// A target is the directory that operands go into.
type target struct {
	path string
	at   localfs.At // zero if the directory cannot be opened: it may be writable but not readable
}

// openTarget opens the directory that operands go into. The target stays the same directory even if its path
// changes.
func (l *commandLine) openTarget(path string) target {
	at, err := localfs.Cwd.OpenAt(path, true)
	if err == nil {
		l.target = at
	}
	return target{path, at}
}

// side returns the side of a container that leads to a name in t, and the place of the name in that side.
func (t target) side(name string) (in side, p entry.Place) {
	if t.at == (localfs.At{}) || name == "" { // for "", the operand is the root
		return split(entry.Join(t.path, name))
	}
	return side{open: t.at}, entry.Place{Prefix: entry.Prefix(t.path), Name: name}
}

// split splits a path into its directory, if the path names one, and the place in that directory.
func split(path string) (in side, p entry.Place) {
	first := entry.LastElement(path) // the start of the name
	before := path[:len(path)-len(first)]
	for isDot(first) && before != "" { // a directory that is opened by its own name may be unreadable
		first = entry.LastElement(before)
		before = before[:len(before)-len(first)]
	}
	if before == "" || len(path) >= localfs.MaxPath {
		return byPath(path)
	}
	dir := entry.StripSlashes(before)
	return side{in: localfs.Cwd, name: dir, path: dir}, entry.Place{Prefix: before, Name: path[len(before):]}
}

// isDot reports whether the element of a path is ".".
func isDot(element string) bool { return strings.TrimRight(element, "/") == "." }

// byPath returns the location of a path that is looked up again on each access.
func byPath(path string) (in side, p entry.Place) {
	return side{open: localfs.Cwd}, entry.Place{At: localfs.Cwd, Name: path}
}

// locate returns the site of an operand that goes to a place in dst. Consecutive operands may share a
// container.
func (l *commandLine) locate(src string, dst side, dstPlace entry.Place) site {
	from, srcPlace := split(src)
	last := l.container
	if last == nil || last.src != from || last.dst != dst {
		c := newContainer(nil, from, dst)
		l.dirs.Retain(&c.Node, 1)
		if _, err := l.dirs.Use(&c.Node); err != nil {
			// Access by path either reports the error or succeeds.
			from, srcPlace = byPath(src)
			if dst.name != "" {
				dst, dstPlace = byPath(dstPlace.String())
			}
			c = newContainer(nil, from, dst)
			l.dirs.Retain(&c.Node, 1)
			_, _ = l.dirs.Use(&c.Node) // Use opens nothing here
		}
		l.dirs.Done(&c.Node)
		if last != nil {
			l.dirs.Release(&last.Node)
		}
		l.container = c
	}
	return site{&l.container.Node, srcPlace, dstPlace}
}
