package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"psync/internal/engine"
	"psync/internal/filter"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/quote"
)

// A scope says how much of a source a run visits.
type scope struct {
	oneFileSystem bool
	rules         engine.Rules // nil: everything takes part
	files         engine.List  // nil: everything is named
	recurse       bool         // into directories that files names
}

func (f *copyFlags) scope() scope {
	return scope{oneFileSystem: f.oneFileSystem, rules: f.rules, files: f.files, recurse: f.recurse}
}

// A route is a way from the top of a source to a directory that the run writes to.
type route struct {
	into    string // what paths below the destination start with; no rule is asked about it
	path    string // relative to the source
	crosses bool   // into another file system
	unknown bool   // there is a way, but it is not known which
}

// visits reports whether a run comes to the end of a route.
func (s scope) visits(r route) bool {
	return r.unknown || !(s.oneFileSystem && r.crosses) && !s.hides(r) && s.lists(r)
}

// hides reports whether a rule leaves out a directory on the route.
func (s scope) hides(r route) bool {
	if s.rules == nil {
		return false
	}
	path := r.into
	for name := range strings.SplitSeq(r.path, "/") {
		path = join(path, name)
		if (s.files == nil || s.files.Listed(path)) && s.rules.Hidden(path, true) {
			return true
		}
	}
	return false
}

// lists reports whether the list of files to copy leads along the route.
func (s scope) lists(r route) bool {
	if s.files == nil {
		return true
	}
	path := r.into
	for name := range strings.SplitSeq(r.path, "/") {
		names, all := s.files.Names(path)
		if !(all && s.recurse) && !slices.Contains(names, name) {
			return false
		}
		path = join(path, name)
	}
	return true
}

func join(dir, name string) string {
	return strings.Trim(dir+"/"+name, "/")
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
func (s scope) routeTo(path string, t tree) (*route, error) {
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

// An overlapError says that a run would come from a source to its own destination.
type overlapError struct {
	dest, src string
	route     route
	listed    bool // by --files-from
}

func (e *overlapError) Error() string {
	return fmt.Sprintf("%s is inside %s: %v", e.dest, e.src, errDestInSource)
}

func (e *overlapError) Unwrap() error { return errDestInSource }

// hint says how to leave the destination out of the source.
func (e *overlapError) hint() string {
	elsewhere := remedy(errDestInSource)
	if e.route.unknown {
		return elsewhere
	}
	exclude := "--exclude=" + quote.Maybe(filter.Anchored(join(e.route.into, e.route.path)), quote.UTF8(os.Getenv))
	switch {
	case e.listed:
		return "leave the destination, and the directories above it, out of the list of --files-from; or add " + exclude
	case e.route.crosses:
		return "add -x, which leaves out other file systems, or " + exclude + "; or " + elsewhere
	}
	return "add " + exclude + ", or name what is to be copied by --files-from; or " + elsewhere
}

// checkOverlap refuses to copy a directory onto, into, or over itself, and a
// file onto itself. Paths are put together without cleaning them, so that they
// lead where those lead that the copy opens.
func checkOverlap(s scope, p operand.Placement, dest string) error {
	for _, t := range trees(p.Dir, p.Names, p.Into) {
		target := under(dest, join(t.into, t.name))
		if t.name != "" {
			info, err := os.Lstat(t.path)
			if err != nil {
				return err
			}
			if !info.IsDir() {
				if err := checkFile(p.Dir, dest, t.path, target, info); err != nil {
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
		return fmt.Errorf("%s and %s: %w", src, target, errSame)
	}
	return err
}

func sameDir(a, b string) (bool, error) {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return os.SameFile(x, y), errors.Join(errX, errY)
}

// checkTree checks a tree, which is to be copied to target: dest or a name in it.
func checkTree(s scope, t tree, dest, target string) error {
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
			return fmt.Errorf("%s and %s: %w", t.path, target, errSame)
		}
	}
	r, err := s.routeTo(dest, t)
	if err != nil {
		return err
	}
	if r != nil {
		return &overlapError{dest: dest, src: t.path, route: *r, listed: s.files != nil}
	}
	if !exists {
		return nil
	}
	inside, err := localfs.Inside(t.path, target)
	if inside {
		return fmt.Errorf("%s is inside %s: %w", t.path, target, errSourceInDest)
	}
	return err
}

// nearestDir returns path if it is a directory, or else the directory nearest above it that exists,
// and what is missing below that.
func nearestDir(path string) (dir, missing string, err error) {
	for dir = path; ; {
		info, err := ifExists(os.Stat, dir)
		up := above(dir)
		if err != nil || info != nil && info.IsDir() || up == dir {
			return dir, missing, err
		}
		_, last := operand.Split(strings.TrimRight(dir, "/"))
		dir, missing = up, join(last, missing)
	}
}
