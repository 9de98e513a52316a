package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"psync/internal/engine"
	"psync/internal/localfs"
)

// checkDest reports whether the destination exists, or why there can be none.
func (o Options) checkDest(path string) (exists bool, err error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && !info.IsDir():
		return false, fmt.Errorf("%s: %w", path, ErrDestNotDir)
	case err == nil:
		return true, nil
	case !notExist(err):
		return false, err
	case !o.MakeDest:
		return false, fmt.Errorf("%s: %w", path, ErrDestMissing)
	}
	switch link, err := ifExists(os.Lstat, path); {
	case err != nil:
		return false, err
	case link != nil:
		return false, fmt.Errorf("%s: %w: it is a link that leads nowhere", path, ErrDestNotDir)
	case o.MakeParents:
		return false, nil
	}
	up := above(path)
	switch _, err := os.Stat(up); {
	case notExist(err):
		return false, fmt.Errorf("%s: %w", up, ErrNoParent)
	case err != nil:
		return false, err
	}
	return false, nil
}

// checkTrailingSlash refuses a --delete that would remove an earlier copy by rsync, where SRC
// without a slash at the end means DST/SRC.
func (o Options) checkTrailingSlash(args []string, placed []placement, dest string) error {
	if !o.Delete || len(args) != 2 || len(placed[0].names) > 0 || strings.HasSuffix(args[0], "/") {
		return nil
	}
	name, err := nameOf(placed[0].dir)
	if errors.Is(err, ErrNoName) {
		return nil // it is the root
	}
	if err != nil {
		return err
	}
	info, err := ifExists(os.Lstat, under(dest, name))
	if err != nil || info == nil || o.Rules != nil && o.Rules.Protected(name, info.IsDir()) {
		return err
	}
	inSource, err := ifExists(os.Lstat, under(placed[0].dir, name))
	if err != nil || inSource != nil { // then it is not to be removed
		return err
	}
	return &TrailingSlashError{Source: args[0], Dest: dest, Name: name}
}

// findDestDev finds out which device a destination would be on that is not made.
func (r *Roots) findDestDev(opener localfs.Opener) error {
	up, _, err := nearestDir(r.DestPath)
	if err != nil {
		return err
	}
	d, err := opener.Open(up)
	if err != nil {
		return err
	}
	defer d.Close()
	attr, err := d.Lstat(".")
	r.DestDev = attr.Dev
	return err
}

// openDest opens the destination, which it makes if it is new, with the
// permissions that the user's umask gives. From then on the process has no umask.
func (r *Roots) openDest() error {
	o := r.options
	if err := localfs.Prepare(o.FetchDataless); err != nil {
		return err
	}
	opener := o.opener()
	if r.DestIsNew && o.DryRun {
		r.Umask = localfs.ClearUmask()
		return r.findDestDev(opener)
	}
	if r.DestIsNew {
		opener.Mkdir, opener.MkdirAll, opener.Perm = true, o.MakeParents, fs.ModePerm
	}
	var err error
	r.Dest, err = opener.Open(r.DestPath)
	r.Umask = localfs.ClearUmask()
	r.Network = r.Network || r.Dest != nil && isNetwork(r.Dest)
	if fatal := engine.Fatal(err); fatal != nil && r.DestIsNew {
		return fmt.Errorf("mkdir %s: %w", r.DestPath, fatal)
	}
	return err
}
