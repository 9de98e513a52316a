package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"psync/internal/engine/source"
	"psync/internal/localfs"
)

// A Scope says how much of a source a run visits.
type Scope struct {
	OneFileSystem bool
	Rules         source.Rules // nil: everything takes part
	Files         source.List  // nil: everything is named
	Recurse       bool         // into directories that Files names
}

// A route is a way from the top of a source to a directory that the run writes to.
type route struct {
	into    string // what paths below the destination start with; no rule is asked about it
	path    string // relative to the source
	crosses bool   // into another file system
	unknown bool   // there is a way, but it is not known which
}

// visits reports whether a run comes to the end of a route.
func (s Scope) visits(r route) bool {
	return r.unknown || !(s.OneFileSystem && r.crosses) && !s.hides(r) && s.lists(r)
}

// hides reports whether a rule leaves out a directory on the route.
func (s Scope) hides(r route) bool {
	if s.Rules == nil {
		return false
	}
	path := r.into
	for name := range strings.SplitSeq(r.path, "/") {
		path = join(path, name)
		if (s.Files == nil || s.Files.Listed(path)) && s.Rules.Hidden(path, true) {
			return true
		}
	}
	return false
}

// lists reports whether the list of files to copy leads along the route.
func (s Scope) lists(r route) bool {
	if s.Files == nil {
		return true
	}
	path := r.into
	for name := range strings.SplitSeq(r.path, "/") {
		names, all := s.Files.Names(path)
		if !(all && s.Recurse) && !slices.Contains(names, name) {
			return false
		}
		path = join(path, name)
	}
	return true
}

// A tree is a directory that is copied.
type tree struct {
	path string
	into string // what it is called below the destination, and no rule is asked about
	name string // what it is called below the destination, and rules are asked about
}

// trees returns the directories that are copied by a placement.
func trees(dir string, names []string, into string) []tree {
	if len(names) == 0 {
		return []tree{{path: dir, into: into}}
	}
	var all []tree
	for _, name := range names {
		all = append(all, tree{path: under(dir, name), name: name})
	}
	return all
}

// routeTo returns a route on which the run comes from a tree to the directory at path, which
// may be missing, or nil.
func (s Scope) routeTo(path string, t tree) (*route, error) {
	nearest, missing, err := nearestDir(path)
	if err != nil {
		return nil, err
	}
	inside, err := localfs.Inside(nearest, t.path)
	if err != nil || !inside {
		return nil, err
	}
	if slices.Contains(strings.Split(missing, "/"), "..") {
		return &route{unknown: true}, nil
	}
	routes, err := localfs.Routes(nearest, t.path)
	if err != nil {
		return nil, err
	}
	for _, rel := range routes {
		r, err := follow(t.path, rel, nearest)
		if err != nil {
			return nil, err
		}
		if r == nil {
			continue
		}
		r.into, r.path = t.into, join(join(t.name, rel), missing)
		if s.visits(*r) {
			return r, nil
		}
	}
	if len(routes) == 0 {
		return &route{unknown: true}, nil
	}
	return nil, nil
}

// follow goes from the directory top along a relative path, and returns the route if
// that ends at the directory end, or nil.
func follow(top, path, end string) (*route, error) {
	want, err := localfs.Cwd.Stat(end, true)
	if err != nil {
		return nil, err
	}
	at, err := localfs.Cwd.Stat(top, true)
	if err != nil {
		return nil, err
	}
	var r route
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			break // end is top itself
		}
		top = under(top, name)
		next, err := localfs.Cwd.Stat(top, false)
		if notExist(err) || err == nil && !next.Mode.IsDir() {
			return nil, nil // something else is mounted there
		}
		if err != nil {
			return nil, err
		}
		r.crosses = r.crosses || next.Dev != at.Dev
		at = next
	}
	if at.ID() != want.ID() {
		return nil, nil
	}
	return &r, nil
}

// checkOverlap refuses to copy a directory onto, into, or over itself, and a
// file onto itself.
func checkOverlap(s Scope, p placement, dest string) error {
	for _, t := range trees(p.dir, p.names, p.into) {
		target := under(dest, join(t.into, t.name))
		if t.name != "" {
			info, err := os.Lstat(t.path)
			if err != nil {
				return err
			}
			if !info.IsDir() {
				if err := checkFile(p.dir, dest, t.path, target, info); err != nil {
					return err
				}
				continue
			}
		}
		if err := checkTree(s, t, dest, target); err != nil {
			return err
		}
	}
	return nil
}

// checkFile refuses to copy the file src in dir, which is info, onto itself. In two
// directories they would be hard links, of which one can replace the other.
func checkFile(dir, dest, src, target string, info fs.FileInfo) error {
	there, err := ifExists(os.Lstat, target)
	if err != nil || there == nil || !os.SameFile(info, there) {
		return err
	}
	same, err := sameDir(dir, dest)
	if same {
		return fmt.Errorf("%s and %s: %w", src, target, ErrSame)
	}
	return err
}

func sameDir(a, b string) (bool, error) {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return os.SameFile(x, y), errors.Join(errX, errY)
}

// checkTree checks a tree, which is to be copied to target: dest or a name in it.
func checkTree(s Scope, t tree, dest, target string) error {
	info, err := ifExists(os.Stat, target)
	if err != nil {
		return err
	}
	exists := info != nil && info.IsDir()
	if exists {
		there, err := os.Stat(t.path)
		switch {
		case err != nil:
			return err
		case os.SameFile(info, there):
			return fmt.Errorf("%s and %s: %w", t.path, target, ErrSame)
		}
	}
	r, err := s.routeTo(dest, t)
	if err != nil {
		return err
	}
	if r != nil {
		path := "" // of an unknown route
		if !r.unknown {
			path = join(r.into, r.path)
		}
		return &OverlapError{Dest: dest, Source: t.path, Path: path, Crosses: r.crosses, Listed: s.Files != nil}
	}
	if !exists {
		return nil
	}
	inside, err := localfs.Inside(t.path, target)
	if inside {
		return fmt.Errorf("%s is inside %s: %w", t.path, target, ErrSourceInDest)
	}
	return err
}
