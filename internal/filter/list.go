package filter

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A List holds the paths that --files-from names. Only these paths are copied. It is a trie of path elements. A
// nil *List names everything.
//
// A directory is either listed, which requests all its entries, or it merely leads to listed entries; then
// [List.Names] returns the names to visit.
type List struct {
	listed bool
	isDir  bool // listed with a slash at the end
	below  map[string]*List
	names  []string // keys of below, sorted
}

// ParseList reads a list with one path per line, or, with nul, NUL-terminated paths. Paths are relative to the
// transfer root, whether they begin with a slash or not. Empty lines are ignored, as are lines that begin with
// "#" or ";". Unlike in rsync, "/./" does not mark where names in the destination begin, and ".." is refused.
func ParseList(r io.Reader, nul bool) (*List, error) {
	ends := atLines
	if nul {
		ends = atNUL
	}
	l := new(List)
	err := each(r, ends, func(n int, path string) error {
		if path == "" || comment(path) {
			return nil
		}
		if err := l.add(path); err != nil {
			return fmt.Errorf("entry %d: %w", n, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	l.sort()
	return l, nil
}

// NewList returns a list of paths.
func NewList(paths []string) (*List, error) {
	l := new(List)
	for _, path := range paths {
		if err := l.add(path); err != nil {
			return nil, err
		}
	}
	l.sort()
	return l, nil
}

func (l *List) add(path string) error {
	isDir := strings.HasSuffix(path, "/") || strings.HasSuffix(path, "/.")
	for name := range strings.SplitSeq(path, "/") {
		switch name {
		case "", ".":
			continue
		case "..":
			return fmt.Errorf("%q leaves its directory by \"..\"; write the path without", path)
		}
		next := l.below[name]
		if next == nil {
			if l.below == nil {
				l.below = make(map[string]*List)
			}
			next = new(List)
			l.below[name] = next
		}
		l = next
	}
	l.listed = true
	l.isDir = l.isDir || isDir
	return nil
}

func (l *List) sort() {
	l.names = make([]string, 0, len(l.below))
	for name, next := range l.below {
		l.names = append(l.names, name)
		if next.below != nil {
			next.sort()
		}
	}
	slices.Sort(l.names)
}

// Names returns the names to visit in a directory; "" is the root. If all is true, the directory or a directory
// above it is listed, and all its entries are wanted; names are then the entries that the list expects there,
// so that the caller can report missing ones. The caller must not change names.
func (l *List) Names(dir string) (names []string, all bool) {
	at, all := l.find(dir)
	if at == nil {
		return nil, all
	}
	return at.names, all
}

// Listed reports whether path or a directory above it is listed. A directory that Names returns and that is not
// listed only leads to listed entries.
func (l *List) Listed(path string) bool {
	_, listed := l.find(path)
	return listed
}

// Follows reports whether path leads to listed entries, or is listed with a slash at the end. A link there stands for
// the directory that it leads to.
func (l *List) Follows(path string) bool {
	at, _ := l.find(path)
	return at != nil && (at.isDir || at.below != nil)
}

// find returns the node of path, or nil if there is none, and whether the way to the node goes through a listed
// node.
func (l *List) find(path string) (at *List, listed bool) {
	if l == nil {
		return nil, true
	}
	for listed = l.listed; l != nil && path != ""; {
		var name string
		name, path, _ = strings.Cut(path, "/")
		if l = l.below[name]; l != nil {
			listed = listed || l.listed
		}
	}
	return l, listed
}
