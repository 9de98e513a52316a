package filter

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A List holds the paths that --files-from names, as they are below the destination. Only these paths are copied. It
// is a trie of path elements. A nil *List names everything.
//
// A directory is either listed, which requests its entries, or it merely leads to listed entries; then
// [List.Names] returns the names to visit. Without recursion, the entries of a listed directory are requested
// only if its name ends with a slash, and nothing of what is in these.
type List struct {
	listed bool
	isDir  bool // listed with a slash at the end
	below  map[string]*List
	names  []string  // keys of below, sorted
	root   *listRoot // nil below the root
}

// ParseList reads a list with one path per line, or, with nul, NUL-terminated paths. Paths are relative to the
// source, whether they begin with a slash or not. What comes before "/./" is not part of the path below the
// destination; see [List.Parts]. Empty lines are ignored, as are lines that begin with "#" or ";". Unlike in rsync,
// ".." is refused. With recurse, listed directories are requested with everything below them.
func ParseList(r io.Reader, nul, recurse bool) (*List, error) {
	ends := atLines
	if nul {
		ends = atNUL
	}
	l := newList(recurse)
	err := each(r, ends, func(n int, path string) error {
		if path == "" || comment(path) {
			return nil
		}
		if err := l.addCut(path); err != nil {
			return fmt.Errorf("entry %d: %w", n, err)
		}
		return nil
	})
	if err == nil {
		err = l.checkParts()
	}
	if err != nil {
		return nil, err
	}
	l.sort()
	return l, nil
}

// NewList returns a list of paths, which are requested with everything below them.
func NewList(paths []string) (*List, error) {
	l := newList(true)
	for _, path := range paths {
		if err := l.add(path); err != nil {
			return nil, err
		}
	}
	l.sort()
	return l, nil
}

func newList(recurse bool) *List { return &List{root: &listRoot{recurse: recurse}} }

func (l *List) add(path string) error {
	names, err := splitPath(path)
	if err != nil {
		return err
	}
	l.addNames(names, endsInDir(path))
	return nil
}

func (l *List) addNames(names []string, isDir bool) {
	for _, name := range names {
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
	l.isDir = l.isDir || isDir || len(names) == 0
}

// endsInDir reports whether a path stands for a directory by its end.
func endsInDir(path string) bool {
	return strings.HasSuffix(path, "/") || strings.HasSuffix(path, "/.")
}

// splitPath returns the elements of a path without those that stand for no name.
func splitPath(path string) ([]string, error) {
	names := strings.Split(path, "/")
	if slices.Contains(names, "..") {
		return nil, fmt.Errorf("%q leaves its directory by \"..\"; write the path without", path)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" || name == "." }), nil
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

// Names returns the names to visit in a directory; "" is the root. If all is true, all entries of the directory are
// wanted; names are then the entries that the list expects there, so that the caller can report missing ones. The
// caller must not change names.
func (l *List) Names(dir string) (names []string, all bool) {
	at, _, all := l.find(dir)
	if at == nil {
		return nil, all
	}
	return at.names, all
}

// Listed reports whether path is listed, or is wanted with a directory that is. A directory that Names returns and that
// is not listed only leads to listed entries.
func (l *List) Listed(path string) bool {
	_, listed, _ := l.find(path)
	return listed
}

// Follows reports whether path leads to listed entries, or is listed with a slash at the end. A link there stands for
// the directory that it leads to.
func (l *List) Follows(path string) bool {
	at, _, _ := l.find(path)
	return at != nil && (at.isDir || at.below != nil)
}

// find returns the node of path, or nil if there is none, whether path is listed, and whether all entries in it are.
func (l *List) find(path string) (at *List, listed, all bool) {
	if l == nil {
		return nil, true, true
	}
	recurse := l.root.recurse
	for at, listed, all = l, l.listed, l.isDir; path != ""; {
		var name string
		name, path, _ = strings.Cut(path, "/")
		if at != nil {
			at = at.below[name]
		}
		listed = all || at != nil && at.listed
		all = listed && recurse || at != nil && at.isDir
	}
	return at, listed, all
}
