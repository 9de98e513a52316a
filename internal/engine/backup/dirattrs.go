package backup

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"psync/internal/metadata"
	"psync/internal/vfs"
)

// setDirAttrs sets the attributes of a new directory for backups, whose path is at, to those of its original. Times,
// and modes that would keep the owner from working in it, are deferred. dst is the original in its present state.
func (s *Store) setDirAttrs(dir vfs.Dir, at string, dst vfs.Dir, o *Original) error {
	if o == nil {
		attr, err := vfs.Lstat(dst, ".")
		if err != nil {
			return err
		}
		o = &Original{attr: attr}
	}
	if err := s.read(o, dst); err != nil {
		return err
	}
	now := &o.now
	keep := metadata.Keep{Perms: true, Owner: true, Group: true, Mtime: true, Atime: true}
	sameOwner := s.User.Privileged() || int(o.attr.UID) == s.User.UID
	sameGroup := s.User.Privileged() || s.User.In(o.attr.GID)
	// The ACL that it has now may differ from the one that it had.
	sameRights := (now.Mode^o.attr.Mode)&^0o700 == 0 && now.UID == o.attr.UID && now.GID == o.attr.GID

	want := o.now
	want.Attr = o.attr
	keep.ACLs = o.extended && o.knowsACL && sameRights && sameGroup
	keep.Xattrs = o.extended && sameRights
	want.Mode = dirMode(o.attr.Mode, sameOwner, sameGroup && sameRights && o.knowsACL)

	made, err := vfs.Lstat(dir, ".")
	if err != nil {
		return err
	}
	state := metadata.State{Attr: made}
	var on vfs.Node = metadata.Entry{Dir: dir, Name: "."}
	if n, _ := s.readExtended(dir, &state); n != nil {
		defer vfs.CloseUnwritten(n)
		on = n
	}
	final := &DirAttrs{Path: at, mode: made.Mode, atime: o.attr.Atime, mtime: o.attr.Mtime}
	ops := s.Profile.Plan(nil, keep, metadata.PlanContext{User: s.User}, &want, &state)
	for i := range ops {
		op := &ops[i]
		if op.Never || op.Class == metadata.Times {
			continue
		}
		if op.Class == metadata.Mode {
			final.mode = op.Mode
			op.Mode |= 0o700
		}
		// No entry is needed as the source of a long attribute: only files have resource forks.
		if err := op.Do(on, nil); err != nil && op.Class == metadata.Owner {
			restrict(ops[i+1:])
		}
	}
	s.ApplyLast(final)
	return nil
}

// dirMode returns the mode of a directory for backups, given the mode of its original, whether their owners are the
// same, and whether the group bits mean the same. It must not grant access to anyone to whom the original denied it.
func dirMode(mode fs.FileMode, sameOwner, sameGroup bool) fs.FileMode {
	if !sameOwner {
		mode |= 0o700 // it is ours
		mode &^= fs.ModeSetuid
	}
	if !sameGroup {
		others := mode & 0o007
		mode = mode&^(0o070|fs.ModeSetgid) | mode&(others<<3)
	}
	return mode
}

// restrict removes rights from operations on a directory for backups whose owner could not be set.
func restrict(ops []metadata.Op) {
	for i := range ops {
		switch ops[i].Class {
		case metadata.Mode:
			ops[i].Mode = dirMode(ops[i].Mode, false, false)
		case metadata.ACLs:
			ops[i].Never = true
		}
	}
}

// DirAttrs are the attributes that a directory for backups gets once nothing more is put into it: its times, and a mode
// that may keep its owner from working in it.
type DirAttrs struct {
	Path         string // of the directory that it stands for
	mode         fs.FileMode
	atime, mtime time.Time
}

// Apply sets attributes that were passed to ApplyLast, unless the directory for backups is gone.
func (s *Store) Apply(a *DirAttrs) error {
	if err := s.apply(a); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("backup: %w", err)
	}
	return nil
}

func (s *Store) apply(a *DirAttrs) error {
	dir, err := vfs.Descend(cmp.Or(s.Dir, s.root), a.Path, vfs.NoFollow.OpenDir)
	if err != nil {
		return err
	}
	if a.Path != "" {
		defer dir.Close()
	}
	err = vfs.Chtimes(vfs.In(dir, "."), a.atime, a.mtime)
	if a.mode&0o700 != 0o700 {
		err = vfs.JoinErrors(err, vfs.Chmod(vfs.In(dir, "."), a.mode))
	}
	return err
}
