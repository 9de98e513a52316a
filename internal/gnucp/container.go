package gnucp

import (
	"strings"

	"psync/internal/gnucp/entry"
	"psync/internal/localfs"
	"psync/internal/walk"
)

// A container is the directories that an operand is in, on both sides. Whatever becomes of the paths that lead to
// them, they stay the ones that they were.
type container struct {
	walk.Node[bothSides]
	src, dst side
	identity identity
}

// A side of a container is a directory that stays open, or is opened by a name in another one.
type side struct {
	open     localfs.At // the directory, if it stays open; otherwise zero
	in       localfs.At // what name is relative to, if it is not open; zero: that side of the container's parent
	name     string
	path     string // what people call it
	nofollow bool   // it was made here: a link does not lead to it
}

// newContainer returns a container in another one, or one of the working directory if parent is nil.
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
			err = &openError{c.dst.path, err}
		}
	}
	if err != nil {
		c.Close(opened)
		return bothSides{}, err
	}
	return opened, nil
}

// own returns those sides that were opened for c.
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
		return &openError{s.path, err}
	}
	*opened = at
	return nil
}

// Close closes what Open has opened.
func (c *container) Close(opened bothSides) { c.own(opened).Close() }

// A site is where an operand is, on both sides.
type site struct {
	node     *walk.Node[bothSides] // of what both sides are in
	src, dst entry.Place           // there
}

// A target is the directory that operands go into.
type target struct {
	path string
	at   localfs.At // zero if it cannot be opened: it can be written into, perhaps, but not read
}

// openTarget opens the directory that operands go into: it stays the one that it was, whatever becomes of its path.
func (l *commandLine) openTarget(path string) target {
	at, err := localfs.Cwd.OpenAt(path, true)
	if err == nil {
		l.target = at
	}
	return target{path, at}
}

// side returns the side of a container that leads to a name in t, and the place there.
func (t target) side(name string) (in side, p entry.Place) {
	if t.at == (localfs.At{}) || name == "" { // an operand is the root
		return split(entry.Join(t.path, name))
	}
	return side{open: t.at}, entry.Place{Prefix: entry.Prefix(t.path), Name: name}
}

// split parts a path into the directory that it is in, if it names one, and the place there.
func split(path string) (in side, p entry.Place) {
	first := entry.LastElement(path) // of the name
	before := path[:len(path)-len(first)]
	for isDot(first) && before != "" { // by its own name, a directory need not be readable
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

// byPath returns where a path is that is looked up anew each time.
func byPath(path string) (in side, p entry.Place) {
	return side{open: localfs.Cwd}, entry.Place{At: localfs.Cwd, Name: path}
}

// locate returns where an operand is, which goes to a place in dst. Operands that follow each other may share a container.
func (l *commandLine) locate(src string, dst side, dstPlace entry.Place) site {
	from, srcPlace := split(src)
	last := l.container
	if last == nil || last.src != from || last.dst != dst {
		c := newContainer(nil, from, dst)
		l.dirs.Retain(&c.Node, 1)
		if _, err := l.dirs.Use(&c.Node); err != nil {
			// Access by path will report the error, or succeed.
			from, srcPlace = byPath(src)
			if dst.name != "" {
				dst, dstPlace = byPath(dstPlace.String())
			}
			c = newContainer(nil, from, dst)
			l.dirs.Retain(&c.Node, 1)
			_, _ = l.dirs.Use(&c.Node) // which opens nothing
		}
		l.dirs.Done(&c.Node)
		if last != nil {
			l.dirs.Release(&last.Node)
		}
		l.container = c
	}
	return site{&l.container.Node, srcPlace, dstPlace}
}
