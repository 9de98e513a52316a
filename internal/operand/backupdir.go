package operand

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"psync/internal/vfs"
)

// openBackupDir opens the directory for backups. A missing directory is made when the first backup is put into
// it.
func (r *Roots) openBackupDir(path string, d *AuxDirs) error {
	b := &d.Backup
	if err := r.refuseBackupDir(path); err != nil {
		return err
	}
	dir, err := r.options.Hosts.Dest.Open(path, r.options.trustNamed())
	if notExist(err) {
		return r.makeBackupDirLater(path, d)
	}
	if err != nil {
		return err
	}
	b.Dir = dir
	if r.Dest == nil {
		return nil
	}
	dest, err := vfs.Lstat(r.Dest, ".")
	if err != nil {
		return err
	}
	backup, err := vfs.Lstat(dir, ".")
	if err != nil || dest.ID() != backup.ID() {
		return err
	}
	if b.Suffix == "" {
		return fmt.Errorf("%s: %w", r.options.Hosts.Dest.Called(path), ErrBackupSame)
	}
	b.Dir = nil
	return dir.Close()
}

// makeBackupDirLater prepares d for a missing directory at path. The directories above it get permissions
// according to the user's umask, which the process no longer has.
func (r *Roots) makeBackupDirLater(path string, d *AuxDirs) error {
	b := &d.Backup
	h := r.options.Hosts.Dest
	switch link, err := ifExists(h, path, vfs.NoFollow); {
	case err != nil:
		return err
	case found(link):
		return fmt.Errorf("%s is a link that leads nowhere", h.Called(path))
	}
	b.Missing = true
	if r.options.DryRun {
		return nil
	}
	nearest, _, err := NearestDir(h, path)
	if err != nil {
		return err
	}
	parent, err := h.Stat(nearest, vfs.Follow)
	if err != nil {
		return err
	}
	b.Parent = parent.ID()
	if above, err := h.Open(nearest, r.options.trustNamed()); err == nil { // the directory need not be readable
		d.BackupParent = above
	}
	b.Make = func() (vfs.Dir, error) {
		o := r.options.trustNamed()
		o.MkdirAll, o.Perm = true, 0o777&^r.Umask
		up, err := h.Open(above(path), o)
		if err != nil {
			return nil, err
		}
		defer up.Close()
		o = r.options.trustNamed()
		o.Mkdir, o.Perm = true, 0o700
		return h.Open(path, o)
	}
	return nil
}

// refuseBackupDir returns an error for a directory that contains a source, that the run would visit in a
// source, or whose counterpart in a source would be copied into it.
func (r *Roots) refuseBackupDir(path string) error {
	h := r.options.Hosts.Source
	if !h.same(r.options.Hosts.Dest) {
		return nil
	}
	there, err := statIfExists(h, path)
	if err != nil {
		return err
	}
	for _, s := range r.placed {
		for _, t := range s.trees() {
			attr, err := statIfExists(h, t.path)
			if err != nil {
				return err
			}
			if !attr.Mode.IsDir() {
				continue
			}
			way, err := r.options.routeTo(h, path, t)
			overlaps := way != nil
			if err == nil && !overlaps && found(there) {
				_, overlaps, err = h.Inside(t.path, path)
			}
			if err != nil {
				return err
			}
			if overlaps {
				return fmt.Errorf("%s and %s: %w", h.Called(path), h.Called(t.path), ErrBackupOverlaps)
			}
		}
		if rest, inside := strings.CutPrefix(filepath.Clean(path), filepath.Clean(r.DestPath)+"/"); inside && len(s.names) == 0 && s.into == "" {
			at := under(s.dir, rest)
			switch attr, err := ifExists(h, at, vfs.NoFollow); {
			case err != nil:
				return err
			case found(attr):
				return fmt.Errorf("%s: %w", h.Called(at), ErrBackupInSource)
			}
		}
	}
	return nil
}

// refuseBackupsOverSources returns an error if a file would be copied over another file whose backup would
// replace the first.
func (r *Roots) refuseBackupsOverSources(o AuxOptions) error {
	h := r.options.Hosts.Source
	if !o.Backup || !h.same(r.options.Hosts.Dest) {
		return nil
	}
	dir := r.DestPath
	if o.BackupDir != "" {
		dir = r.below(o.BackupDir)
	}
	for _, p := range r.placed {
		for _, t := range p.trees() {
			if t.name == "" {
				continue
			}
			attr, err := ifExists(h, t.path, vfs.NoFollow)
			if err != nil {
				return err
			}
			if attr.Mode.IsDir() {
				continue
			}
			err = checkFile(h, h.Called, p.dir, dir, t.path, under(dir, t.name+o.Suffix), attr.ID())
			if errors.Is(err, ErrSame) {
				return fmt.Errorf("%s: %w", h.Called(t.path), ErrBackupIsSource)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
