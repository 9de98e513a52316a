package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"psync/internal/engine"
	"psync/internal/localfs"
	"psync/internal/operand"
	"psync/internal/ui"
	"psync/internal/vfs"
)

// roots are the opened operands of a copying verb.
type roots struct {
	sources []engine.Source
	// networkSource says that a source is on a network file system.
	networkSource bool

	dest      vfs.Dir // nil in a dry run that would make it
	destPath  string
	destIsNew bool
	destDev   uint64      // the device that dest would be made on
	umask     fs.FileMode // of the user, which psync does without
}

func (r *roots) close() {
	for _, s := range r.sources {
		if s.Dir != nil {
			s.Dir.Close()
		}
	}
	if r.dest != nil {
		r.dest.Close()
	}
}

// network reports whether one side is a network file system.
func (r *roots) network() bool {
	return r.dest != nil && isNetwork(r.dest) || r.networkSource
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
	if r.destPath, err = operand.Parse(args[last]); err != nil {
		return nil, err
	}
	placed, err := operand.Place(sources)
	if err != nil {
		return nil, err
	}
	exists, err := checkDest(f, r.destPath)
	if err != nil {
		return nil, err
	}
	open := localfs.Open
	if f.openNoatime || f.on.has(keepAtimes) { // or reading would change what is to be kept
		open = localfs.OpenNoatime
	}
	for _, p := range placed {
		if err := checkOverlap(f.scope(), p, r.destPath); err != nil {
			return nil, err
		}
		if err := r.addSource(open, p, len(placed) <= maxOpenSources); err != nil {
			return nil, err
		}
	}
	r.destIsNew = !exists
	if err := f.checkHabit(args, placed, r.destPath); err != nil {
		return nil, err
	}
	if f.files != nil && (len(placed) != 1 || len(placed[0].Names) > 0) {
		return nil, errFilesFrom
	}
	return r, r.openDest(f)
}

// parseSources parses the operands and finds out what they are.
func parseSources(args []string) ([]operand.Source, error) {
	var sources []operand.Source
	for _, arg := range args {
		path, err := operand.Parse(arg)
		if err != nil {
			return nil, err
		}
		info, err := statSource(path, len(args) == 1)
		if err != nil {
			return nil, err
		}
		s := operand.Source{Path: path, IsDir: info.IsDir()}
		if len(args) > 1 || !s.IsDir {
			if s.Name, err = nameOf(path); err != nil {
				return nil, err
			}
		}
		sources = append(sources, s)
	}
	return sources, nil
}

// statSource returns what a source is. With follow, a symbolic link is what it leads to;
// one that leads nowhere is still a link, which can be copied.
func statSource(path string, follow bool) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case notExist(err):
		return nil, fmt.Errorf("%s: %w", path, errMissing)
	case err != nil || !follow || info.Mode().Type() != fs.ModeSymlink:
		return info, err
	}
	target, err := ifExists(os.Stat, path)
	if err != nil || target == nil {
		return info, err
	}
	return target, nil
}

// ifExists returns what stat says of path, or nil if nothing is there. No other error is
// an answer: whether something is there is unknown then.
func ifExists(stat func(string) (fs.FileInfo, error), path string) (fs.FileInfo, error) {
	info, err := stat(path)
	if notExist(err) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	return info, err
}

// nameOf returns the name that an existing entry has in its directory.
func nameOf(path string) (string, error) {
	_, last := operand.Split(strings.TrimRight(path, "/"))
	if last != "" && last != "." && last != ".." {
		return last, nil
	}
	real, err := localfs.Resolve(path)
	if err != nil {
		return "", err
	}
	if real == "/" {
		return "", fmt.Errorf("%s: %w", path, errNoName)
	}
	return filepath.Base(real), nil
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
	case f.bare() && !f.create:
		return false, fmt.Errorf("%s: %w", path, errDestMissing)
	}
	switch link, err := ifExists(os.Lstat, path); {
	case err != nil:
		return false, err
	case link != nil:
		return false, fmt.Errorf("%s: %w: it is a link that leads nowhere", path, errDestNotDir)
	case f.create || f.mkpath:
		return false, nil
	}
	up := above(path)
	switch _, err := os.Stat(up); {
	case notExist(err):
		return false, fmt.Errorf("%s: %w", up, errNoParent)
	case err != nil:
		return false, err
	}
	return false, nil
}

// checkHabit stops who is used to rsync, where SRC without a slash at the end means
// DST/SRC: --delete would remove an earlier copy of that name.
func (f *copyFlags) checkHabit(args []string, placed []operand.Placement, dest string) error {
	if !f.delete || len(args) != 2 || len(placed[0].Names) > 0 || strings.HasSuffix(args[0], "/") {
		return nil
	}
	name, err := nameOf(placed[0].Dir)
	if errors.Is(err, errNoName) {
		return nil // it is the root
	}
	if err != nil {
		return err
	}
	info, err := ifExists(os.Lstat, under(dest, name))
	if err != nil || info == nil || f.rules != nil && f.rules.Protected(name, info.IsDir()) {
		return err
	}
	inSource, err := ifExists(os.Lstat, under(placed[0].Dir, name))
	if err != nil || inSource != nil { // then it is not to be removed
		return err
	}
	return &habitError{src: args[0], dest: dest, name: name}
}

type habitError struct{ src, dest, name string }

func (e *habitError) Error() string {
	return fmt.Sprintf("--delete would remove %s, for the contents of %s are copied to %s itself", under(e.dest, e.name), e.src, e.dest)
}

func (e *habitError) hint() string {
	return fmt.Sprintf("to update it, give the arguments %s/ %s; if it is to go, write %s/ %s",
		ui.Escape(e.src), ui.Escape(under(e.dest, e.name)), ui.Escape(e.src), ui.Escape(e.dest))
}

// under returns the path of name in dir, or dir for "".
func under(dir, name string) string {
	switch {
	case name == "":
		return dir
	case dir == ".":
		return name
	}
	return strings.TrimRight(dir, "/") + "/" + name
}

// above returns the path of the directory that path, which does not exist, would be in.
func above(path string) string {
	dir, _ := operand.Split(strings.TrimRight(path, "/"))
	if up := strings.TrimRight(dir, "/"); up != "" {
		return up
	}
	return "/"
}

// findDestDev finds out which device a destination would be on that is not made.
func (r *roots) findDestDev(opener localfs.Opener) error {
	up, _, err := nearestDir(r.destPath)
	if err != nil {
		return err
	}
	d, err := opener.Open(up)
	if err != nil {
		return err
	}
	defer d.Close()
	attr, err := d.Lstat(".")
	r.destDev = attr.Dev
	return err
}

// openDest opens the destination, which it makes if it is new, with the
// permissions that the user's umask gives. The umask does not apply any more
// from then on.
func (r *roots) openDest(f *copyFlags) error {
	if err := localfs.Prepare(bool(f.dataless)); err != nil {
		return err
	}
	opener := f.opener()
	if r.destIsNew && f.dryRun {
		r.umask = localfs.ClearUmask()
		return r.findDestDev(opener)
	}
	if r.destIsNew {
		opener.Mkdir, opener.MkdirAll, opener.Perm = true, f.create || f.mkpath, fs.ModePerm
	}
	var err error
	r.dest, err = opener.Open(r.destPath)
	r.umask = localfs.ClearUmask()
	if fatal := engine.Fatal(err); fatal != nil && r.destIsNew {
		return fmt.Errorf("mkdir %s: %w", r.destPath, fatal)
	}
	return err
}
