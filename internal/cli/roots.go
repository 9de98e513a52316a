package cli

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"psync/internal/engine"
	"psync/internal/localfs"
	"psync/internal/location"
	"psync/internal/vfs"
)

// roots are the opened operands of a copying verb.
type roots struct {
	sources   []engine.Source
	dest      vfs.Dir // nil in a dry run that would make it
	destPath  string
	destIsNew bool
}

func (r *roots) close() {
	for _, s := range r.sources {
		s.Dir.Close()
	}
	if r.dest != nil {
		r.dest.Close()
	}
}

// network reports whether one side is a network file system.
func (r *roots) network() bool {
	return r.dest != nil && isNetwork(r.dest) ||
		slices.ContainsFunc(r.sources, func(s engine.Source) bool { return isNetwork(s.Dir) })
}

// openRoots parses the operands, refuses what cannot end well, and only then
// makes the destination if need be.
func openRoots(f *copyFlags, args []string) (_ *roots, err error) {
	last := len(args) - 1
	r := new(roots)
	defer func() {
		if err != nil {
			r.close()
		}
	}()
	sources, err := parseSources(args[:last])
	if err != nil {
		return nil, err
	}
	if r.destPath, err = location.Parse(args[last]); err != nil {
		return nil, err
	}
	placed, err := location.Place(sources)
	if err != nil {
		return nil, err
	}
	exists, err := checkDest(f, r.destPath)
	if err != nil {
		return nil, err
	}
	for _, p := range placed {
		if err := checkOverlap(p, r.destPath, exists); err != nil {
			return nil, err
		}
		dir, err := localfs.Open(p.Dir)
		if err != nil {
			return nil, err
		}
		r.sources = append(r.sources, engine.Source{Dir: dir, Label: p.Dir, Names: p.Names, Into: p.Into})
	}
	r.destIsNew = !exists
	return r, r.openDest(f)
}

// parseSources parses the operands and finds out what they are.
func parseSources(args []string) ([]location.Source, error) {
	var sources []location.Source
	for _, arg := range args {
		path, err := location.Parse(arg)
		if err != nil {
			return nil, err
		}
		// A link that leads nowhere can still be copied as a link.
		if _, err := os.Lstat(path); notExist(err) {
			return nil, fmt.Errorf("%s: %w", path, errMissing)
		} else if err != nil {
			return nil, err
		}
		info, err := os.Stat(path)
		sources = append(sources, location.Source{Path: path, IsDir: err == nil && info.IsDir()})
	}
	return sources, nil
}

// checkDest reports whether the destination exists, or why there can be none.
func checkDest(f *copyFlags, path string) (exists bool, err error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return false, fmt.Errorf("%s: %w", path, errDestNotDir)
	case err == nil:
		return true, nil
	case !notExist(err):
		return false, err
	case f.bare && !f.create:
		return false, fmt.Errorf("%s: %w", path, errDestMissing)
	}
	if _, err := os.Lstat(path); err == nil {
		return false, fmt.Errorf("%s: %w: it is a link that leads nowhere", path, errDestNotDir)
	}
	if up := filepath.Dir(filepath.Clean(path)); !f.create && !f.mkpath {
		if _, err := os.Stat(up); notExist(err) {
			return false, fmt.Errorf("%s: %w", up, errNoParent)
		}
	}
	return false, nil
}

// checkOverlap refuses to copy a directory onto, into, or over itself, and a
// file onto itself.
func checkOverlap(p location.Placement, dest string, destExists bool) error {
	if len(p.Names) == 0 {
		return checkTree(p.Dir, dest, filepath.Join(dest, p.Into), destExists)
	}
	for _, name := range p.Names {
		src, target := filepath.Join(p.Dir, name), filepath.Join(dest, name)
		info, err := os.Lstat(src)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = checkTree(src, dest, target, destExists)
		} else if there, lerr := os.Lstat(target); lerr == nil && os.SameFile(info, there) {
			err = sameFile(src, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sameFile tells two names in one directory, which are one entry, from two hard
// links, of which one can replace the other.
func sameFile(src, target string) error {
	a, err := os.Stat(filepath.Dir(src))
	if err != nil {
		return err
	}
	b, err := os.Stat(filepath.Dir(target))
	if err != nil || !os.SameFile(a, b) {
		return err
	}
	return fmt.Errorf("%s and %s: %w", src, target, errSame)
}

// checkTree checks the directory src, which is to be copied to target: dest or
// a name in it.
func checkTree(src, dest, target string, destExists bool) error {
	// What does not exist yet lies where its nearest ancestor does.
	nearest := dest
	if !destExists {
		nearest = existingAncestor(dest)
	}
	inside, err := localfs.Inside(nearest, src)
	if err != nil {
		return err
	}
	info, err := os.Stat(target)
	if err != nil || !info.IsDir() {
		if inside {
			return fmt.Errorf("%s is inside %s: %w", dest, src, errDestInSource)
		}
		return nil
	}
	if there, err := os.Stat(src); err == nil && os.SameFile(info, there) {
		return fmt.Errorf("%s and %s: %w", src, target, errSame)
	}
	if inside {
		return fmt.Errorf("%s is inside %s: %w", dest, src, errDestInSource)
	}
	if inside, err = localfs.Inside(src, target); inside {
		return fmt.Errorf("%s is inside %s: %w", src, target, errSourceInDest)
	}
	return err
}

func existingAncestor(path string) string {
	for path = filepath.Clean(path); ; path = filepath.Dir(path) {
		if _, err := os.Stat(path); err == nil || path == filepath.Dir(path) {
			return path
		}
	}
}

// openDest opens the destination, which it makes if it is new, with the
// permissions that the user's umask gives. The umask does not apply any more
// from then on.
func (r *roots) openDest(f *copyFlags) error {
	if r.destIsNew && f.dryRun {
		return nil
	}
	if r.destIsNew {
		mkdir := os.Mkdir
		if f.create || f.mkpath {
			mkdir = os.MkdirAll
		}
		if err := mkdir(r.destPath, fs.ModePerm); err != nil {
			if fatal := engine.Fatal(err); fatal != nil {
				return fmt.Errorf("mkdir %s: %w", r.destPath, fatal)
			}
			return err
		}
	}
	localfs.ClearUmask()
	var err error
	r.dest, err = localfs.Open(r.destPath)
	return err
}
