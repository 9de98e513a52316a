package operand

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"psync/internal/engine/job"
)

// checkDest reports whether the destination exists, or returns why it cannot exist.
func (o Options) checkDest(path string) (exists bool, err error) {
	h := o.Hosts.Dest
	attr, err := h.Stat(path)
	switch {
	case err == nil && !attr.Mode.IsDir():
		return false, fmt.Errorf("%s: %w", h.called(path), ErrDestNotDir)
	case err == nil:
		return true, nil
	case !notExist(err):
		return false, err
	case !o.MakeDest:
		return false, fmt.Errorf("%s: %w", h.called(path), ErrDestMissing)
	}
	switch link, err := ifExists(h.Lstat, path); {
	case err != nil:
		return false, err
	case found(link):
		return false, fmt.Errorf("%s: %w: it is a link that leads nowhere", h.called(path), ErrDestNotDir)
	case o.MakeParents:
		return false, nil
	}
	up := above(path)
	switch _, err := h.Stat(up); {
	case notExist(err):
		return false, fmt.Errorf("%s: %w", h.called(up), ErrNoParent)
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
	name, err := nameOf(o.Hosts.Source, placed[0].dir)
	if errors.Is(err, ErrNoName) {
		return nil // the source is the root
	}
	if err != nil {
		return err
	}
	attr, err := ifExists(o.Hosts.Dest.Lstat, under(dest, name))
	if err != nil || !found(attr) || o.Rules != nil && o.Rules.Protected(name, attr.Mode.IsDir()) {
		return err
	}
	inSource, err := ifExists(o.Hosts.Source.Lstat, under(placed[0].dir, name))
	if err != nil || found(inSource) { // the entry is not to be removed
		return err
	}
	return &TrailingSlashError{Source: o.Hosts.Source.called(args[0]), Dest: o.Hosts.Dest.called(dest), Name: name}
}

// findDestDev finds the device that a destination would be made on in a dry run.
func (r *Roots) findDestDev() error {
	h := r.options.Hosts.Dest
	up, _, err := nearestDir(h, r.DestPath)
	if err != nil {
		return err
	}
	d, err := h.OpenTrusted(up, r.options.trust())
	if err != nil {
		return err
	}
	defer d.Close()
	attr, err := d.Lstat(".")
	r.DestDev = attr.Dev
	return err
}

// openDest opens the destination. A new destination is made with the permissions that the user's umask gives.
// From then on the process has no umask.
func (r *Roots) openDest() error {
	o := r.options
	h := o.Hosts.Dest
	if err := o.prepare(); err != nil {
		return err
	}
	if r.DestIsNew && o.DryRun {
		r.Umask = h.ClearUmask()
		return r.findDestDev()
	}
	options := o.trust()
	if r.DestIsNew {
		options.Mkdir, options.MkdirAll, options.Perm = true, o.MakeParents, fs.ModePerm
	}
	var err error
	r.Dest, err = h.OpenTrusted(r.DestPath, options)
	r.Umask = h.ClearUmask()
	r.Network = r.Network || r.Dest != nil && isNetwork(r.Dest)
	if fatal := job.Fatal(err); fatal != nil && r.DestIsNew {
		return fmt.Errorf("mkdir %s: %w", r.DestLabel(), fatal)
	}
	return err
}
