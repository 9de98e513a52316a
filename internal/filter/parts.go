package filter

import (
	"errors"
	"fmt"
	"strings"
)

// A Part of a list is what it takes from one directory.
type Part struct {
	Dir   string   // relative to the source: what the paths have before "/./"
	Names []string // in the root of the destination; nil: all that the list has there
	Self  bool     // the directory itself is listed: by ".", or by a path that begins with "./"
}

// A listRoot is what is known of a list as a whole.
type listRoot struct {
	recurse bool
	self    bool
	dirs    []string        // of the parts
	hasDir  map[string]bool // dirs
	// dirOf has the directory that a name in the root of the destination comes from, unless that is the first.
	dirOf map[string]string
}

// errWholeAndOther says that the root of the destination would be one directory, and have entries of others.
var errWholeAndOther = errors.New("all of a directory is listed for the root of the destination, and so are entries of other directories; copy them one after the other")

// addCut adds a path, less what it has before "/./".
func (l *List) addCut(path string) error {
	dir, path, self := cut(path)
	above, err := splitPath(dir)
	if err != nil {
		return err
	}
	names, err := splitPath(path)
	if err != nil {
		return err
	}
	if err := l.assign(strings.Join(above, "/"), names); err != nil {
		return err
	}
	l.root.self = l.root.self || self || len(names) == 0
	l.addNames(names, endsInDir(path))
	return nil
}

// cut splits a path at "/./". As in rsync, a path that begins with "./" names the directory that it begins in, too.
func cut(path string) (dir, rest string, self bool) {
	path = strings.TrimLeft(path, "/")
	if dir, rest, found := strings.Cut(path, "/./"); found {
		return dir, rest, false
	}
	return "", path, strings.HasPrefix(path, "./")
}

// assign records that the names of a path begin in a directory of the source.
func (l *List) assign(dir string, names []string) error {
	r := l.root
	if !r.hasDir[dir] {
		if r.hasDir == nil {
			r.hasDir = make(map[string]bool)
		}
		r.hasDir[dir] = true
		r.dirs = append(r.dirs, dir)
	}
	if len(names) == 0 {
		return nil
	}
	name := names[0]
	if l.below[name] != nil {
		if other := r.dirFor(name); other != dir {
			return fmt.Errorf("%q would come from both %q and %q; copy them one after the other", name, "./"+other, "./"+dir)
		}
		return nil
	}
	if dir != r.dirs[0] {
		if r.dirOf == nil {
			r.dirOf = make(map[string]string)
		}
		r.dirOf[name] = dir
	}
	return nil
}

func (r *listRoot) dirFor(name string) string {
	if dir, ok := r.dirOf[name]; ok || len(r.dirs) == 0 {
		return dir
	}
	return r.dirs[0]
}

// checkParts returns an error if the list has a directory as a whole, and entries of others.
func (l *List) checkParts() error {
	if l.listed && len(l.root.dirs) > 1 {
		return errWholeAndOther
	}
	return nil
}

// Parts returns what the list takes from which directories. There is always one.
func (l *List) Parts() []Part {
	r := l.root
	switch len(r.dirs) {
	case 0:
		return []Part{{}}
	case 1:
		return []Part{{Dir: r.dirs[0], Self: r.self}}
	}
	parts := make([]Part, len(r.dirs))
	index := make(map[string]int, len(r.dirs))
	for i, dir := range r.dirs {
		parts[i].Dir = dir
		index[dir] = i
	}
	for _, name := range l.names {
		p := &parts[index[r.dirFor(name)]]
		p.Names = append(p.Names, name)
	}
	return parts
}

// InSource returns what a list has for a path below the destination: the path, after what it has before "/./". For a
// nil List, that is the path itself.
func (l *List) InSource(path string) string {
	if l == nil {
		return path
	}
	name, _, _ := strings.Cut(path, "/")
	if dir := l.root.dirFor(name); dir != "" {
		return dir + "/./" + path
	}
	return path
}
