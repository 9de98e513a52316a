// Package filesfrom holds lists of paths to copy, such as --files-from names.
package filesfrom

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"psync/internal/filter/entries"
)

// A List holds paths as they are below the destination. Only these paths are copied. A nil *List names everything.
//
// A directory is either listed, which requests its entries, or it merely leads to listed entries; then
// [List.Names] returns the names to visit. Without recursion, the entries of a listed directory are requested
// only if its name ends with a slash, and nothing of what is in these.
type List struct {
	top     node // the root of the destination
	recurse bool
	origins origins
}

// errWholeAndOther says that the root of the destination would be one directory, and have entries of others.
var errWholeAndOther = errors.New("all of a directory is listed for the root of the destination, and so are entries of other directories; copy them one after the other")

// Parse reads a list with one path per line, or, with nul, NUL-terminated paths. Paths are relative to the
// source, whether they begin with a slash or not. What comes before "/./" is not part of the path below the
// destination; see [List.Parts]. Empty lines are ignored, as are lines that begin with "#" or ";". With clamp,
// ".." stays within the source, as in rsync; otherwise it is refused. With recurse, listed directories are
// requested with everything below them.
func Parse(r io.Reader, nul, recurse, clamp bool) (*List, error) {
	ends := entries.Lines
	if nul {
		ends = entries.NUL
	}
	l := &List{recurse: recurse}
	err := entries.Each(r, ends, func(n int, path string) error {
		if path == "" || entries.IsComment(path) {
			return nil
		}
		if clamp {
			path = withoutParents(path)
		}
		if err := l.add(path); err != nil {
			return fmt.Errorf("entry %d: %w", n, err)
		}
		return nil
	})
	if err == nil && l.top.listed && len(l.origins.dirs) > 1 {
		err = errWholeAndOther
	}
	if err != nil {
		return nil, err
	}
	l.top.sort()
	return l, nil
}

// New returns a list of paths, which are requested with everything below them.
func New(paths []string) (*List, error) {
	l := &List{recurse: true}
	for _, path := range paths {
		names, err := splitPath(path)
		if err != nil {
			return nil, err
		}
		l.top.add(names, endsInDir(path))
	}
	l.top.sort()
	return l, nil
}

// add adds a path, less what it has before "/./".
func (l *List) add(path string) error {
	dir, path, self := cut(path)
	above, err := splitPath(dir)
	if err != nil {
		return err
	}
	names, err := splitPath(path)
	if err != nil {
		return err
	}
	dir = strings.Join(above, "/")
	l.origins.addDir(dir)
	switch {
	case len(names) == 0:
		self = true
	case l.top.below[names[0]] == nil:
		l.origins.assign(names[0], dir)
	default:
		if other := l.origins.of(names[0]); other != dir {
			return fmt.Errorf("%q would come from both %q and %q; copy them one after the other", names[0], "./"+other, "./"+dir)
		}
	}
	l.origins.self = l.origins.self || self
	l.top.add(names, endsInDir(path))
	return nil
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
func (l *List) find(path string) (at *node, listed, all bool) {
	if l == nil {
		return nil, true, true
	}
	for at, listed, all = &l.top, l.top.listed, l.top.isDir; path != ""; {
		var name string
		name, path, _ = strings.Cut(path, "/")
		if at != nil {
			at = at.below[name]
		}
		listed = all || at != nil && at.listed
		all = listed && l.recurse || at != nil && at.isDir
	}
	return at, listed, all
}

// Parts returns what the list takes from which directories. There is always one.
func (l *List) Parts() []Part { return l.origins.split(l.top.names) }

// InSource returns what a list has for a path below the destination: the path, after what it has before "/./". For a
// nil List, that is the path itself.
func (l *List) InSource(path string) string {
	if l == nil {
		return path
	}
	name, _, _ := strings.Cut(path, "/")
	if dir := l.origins.of(name); dir != "" {
		return dir + "/./" + path
	}
	return path
}
