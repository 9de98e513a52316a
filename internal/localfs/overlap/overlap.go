// Package overlap finds out whether one directory of this system lies inside another: by the identities of its ancestors,
// by mount tables, and by the firmlinks of macOS.
package overlap

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"psync/internal/localfs/stat"
	"psync/internal/sys"
	"psync/internal/vfs"
)

// Inside does what the method of [vfs.Host] does. Like a mount, a firmlink may show a directory a second time. A walk may
// reach inner by its own path, and by its path on the volume if outer is mounted from another place.
func Inside(inner, outer string) (routes []string, inside bool, err error) {
	var st unix.Stat_t
	if err := unix.Stat(outer, &st); err != nil {
		return nil, false, vfs.PathError("stat", outer, err)
	}
	found, err := hasAncestor(inner, stat.Attr(&st).ID())
	if err != nil {
		return nil, false, err
	}
	p, ok := placeOf(inner)
	q, ok2 := placeOf(outer)
	onVolume := ok && ok2 && p.inside(q)
	if !found && !onVolume {
		return nil, false, nil
	}
	in, err := Resolve(inner)
	if err != nil {
		return nil, true, err
	}
	out, err := Resolve(outer)
	if err != nil {
		return nil, true, err
	}
	add := func(path, dir string) {
		if !within(path, dir) {
			return
		}
		if rel := strings.Trim(strings.TrimPrefix(path, dir), "/"); !slices.Contains(routes, rel) {
			routes = append(routes, rel)
		}
	}
	add(in, out)
	if onVolume {
		add(p.path, q.path)
	}
	return routes, true, nil
}

// Resolve returns path as an absolute path without symbolic links. It resolves paths as the kernel does: link/.. is the
// parent of the target of link.
func Resolve(path string) (string, error) {
	if !filepath.IsAbs(path) {
		wd, err := os.Getwd()
		if err != nil {
			return "", err
		}
		path = wd + "/" + path // filepath.Join would remove the dots
	}
	return filepath.EvalSymlinks(path)
}

// hasAncestor reports whether the directory at path, or one of its ancestors, is want.
func hasAncestor(path string, want vfs.ID) (bool, error) {
	fd, err := sys.Openat(unix.AT_FDCWD, path, sys.OSearch|unix.O_DIRECTORY, 0)
	if err != nil {
		return false, vfs.PathError("open", path, err)
	}
	for at := (vfs.ID{}); ; { // at is the directory of the previous round
		var st unix.Stat_t
		err := sys.Fstat(fd, &st)
		here := stat.Attr(&st).ID()
		if err != nil || here == want || here == at { // the root is its own parent
			unix.Close(fd)
			return err == nil && here == want, vfs.PathError("stat", path, err)
		}
		at = here
		up, err := sys.Openat(fd, "..", sys.OSearch|unix.O_DIRECTORY, 0)
		unix.Close(fd)
		if err == unix.EACCES {
			return false, nil // if an ancestor cannot be accessed, only the paths are compared
		}
		if err != nil {
			return false, vfs.PathError("open", path+"/..", err)
		}
		fd = up
	}
}

// A place is a directory as its file system knows it, wherever that is mounted.
type place struct {
	volume string // which file system
	path   string // clean, from the root of that file system
}

// inside reports whether p is q or lies below it.
func (p place) inside(q place) bool { return p.volume == q.volume && within(p.path, q.path) }

// within reports whether path is dir or lies below it; both are clean and absolute.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}
