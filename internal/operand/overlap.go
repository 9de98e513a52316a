package operand

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"psync/internal/engine/source"
	"psync/internal/vfs"
)

// A Scope describes which part of a source a run visits.
type Scope struct {
	OneFileSystem bool
	Rules         source.Rules // nil: no rules, every entry is included
	Files         source.List  // nil: everything is listed
}

// A route is a path from the root of a source to a directory that the run writes to.
type route struct {
	into    string // the prefix of paths below the destination; rules do not apply to it
	path    string // relative to the source
	crosses bool   // the route leads into another file system
	unknown bool   // there is a route, but its path is unknown
}

// visits reports whether a run reaches the end of a route.
func (s Scope) visits(r route) bool {
	return r.unknown || !(s.OneFileSystem && r.crosses) && !s.hides(r) && s.lists(r)
}

// hides reports whether a rule excludes a directory on the route.
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

// lists reports whether the list of files to copy includes the route.
func (s Scope) lists(r route) bool {
	if s.Files == nil {
		return true
	}
	path := r.into
	for name := range strings.SplitSeq(r.path, "/") {
		names, all := s.Files.Names(path)
		if !all && !slices.Contains(names, name) {
			return false
		}
		path = join(path, name)
	}
	return true
}

// routeTo returns a route on which the run gets from a tree to the directory at path, which may be missing. It
// returns nil if there is no such route.
func (s Scope) routeTo(h vfs.Host, path string, t tree) (*route, error) {
	nearest, missing, err := NearestDir(h, path)
	if err != nil {
		return nil, err
	}
	routes, inside, err := h.Inside(nearest, t.path)
	if err != nil || !inside {
		return nil, err
	}
	if slices.Contains(strings.Split(missing, "/"), "..") {
		return &route{unknown: true}, nil
	}
	for _, rel := range routes {
		r, err := follow(h, t.path, rel, nearest)
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

// follow walks from the directory top along a relative path. It returns the route if the path ends at the
// directory end, and nil otherwise.
func follow(h vfs.Host, top, path, end string) (*route, error) {
	want, err := h.Stat(end, vfs.Follow)
	if err != nil {
		return nil, err
	}
	at, err := h.Stat(top, vfs.Follow)
	if err != nil {
		return nil, err
	}
	var r route
	for name := range strings.SplitSeq(path, "/") {
		if name == "" {
			break // end is top itself
		}
		top = under(top, name)
		next, err := h.Stat(top, vfs.NoFollow)
		if notExist(err) || err == nil && !next.Mode.IsDir() {
			return nil, nil // another file system is mounted there
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

// checkOverlap returns an error if a directory would be copied onto, into or over itself, or a file onto
// itself. Entries on two hosts overlap only if both hosts are the same running system.
func (o Options) checkOverlap(p placement, dest string) error {
	h := o.Hosts.Source
	if !o.Hosts.AreOneSystem() {
		return nil
	}
	seen, ok, err := o.Hosts.seenBySource(dest)
	if err != nil {
		return err
	}
	if !ok {
		return o.checkUnseen(p, dest)
	}
	called := o.Hosts.Dest.Called
	if seen != dest {
		called = func(path string) string { // as the user has typed it
			return o.Hosts.Dest.Called(under(dest, strings.TrimPrefix(strings.TrimPrefix(path, seen), "/")))
		}
	}
	for _, t := range p.trees() {
		target := under(seen, join(t.into, t.name))
		if t.name != "" {
			attr, err := h.Stat(t.path, vfs.NoFollow)
			if err != nil {
				return err
			}
			if !attr.Mode.IsDir() {
				if err := checkFile(h, called, p.dir, seen, t.path, target, attr.ID()); err != nil {
					return err
				}
				continue
			}
		}
		if err := o.checkTree(h, called, t, seen, target); err != nil {
			return err
		}
	}
	return nil
}

// checkFile returns an error if the file src in dir, with the identity id, would be copied onto itself. If the
// directories differ, the files are hard links, and one hard link can replace the other. called returns a path
// of the destination as it is shown in messages.
func checkFile(h Host, called func(string) string, dir, dest, src, target string, id vfs.ID) error {
	there, err := ifExists(h, target, vfs.NoFollow)
	if err != nil || there.ID() != id {
		return err
	}
	same, err := sameDir(h, dir, dest)
	if same {
		return fmt.Errorf("%s and %s: %w", h.Called(src), called(target), ErrSame)
	}
	return err
}

func sameDir(h vfs.Host, a, b string) (bool, error) {
	x, errX := h.Stat(a, vfs.Follow)
	y, errY := h.Stat(b, vfs.Follow)
	return errX == nil && errY == nil && x.ID() == y.ID(), errors.Join(errX, errY)
}

// checkTree does the checks of checkOverlap for a tree that is copied to target, which is dest or a name in
// dest.
func (o Options) checkTree(h Host, called func(string) string, t tree, dest, target string) error {
	attr, err := statIfExists(h, target)
	if err != nil {
		return err
	}
	exists := attr.Mode.IsDir()
	if exists {
		there, err := h.Stat(t.path, vfs.Follow)
		switch {
		case err != nil:
			return err
		case attr.ID() == there.ID():
			return fmt.Errorf("%s and %s: %w", h.Called(t.path), called(target), ErrSame)
		}
	}
	r, err := o.routeTo(h, dest, t)
	if err != nil {
		return err
	}
	if r != nil {
		path := "" // stays empty for an unknown route
		if !r.unknown {
			path = join(r.into, r.path)
		}
		return &OverlapError{Dest: called(dest), Source: h.Called(t.path), Path: path, Crosses: r.crosses, Listed: o.Files != nil}
	}
	if !exists {
		return nil
	}
	return o.checkSourceInDest(h, called, t, target)
}
