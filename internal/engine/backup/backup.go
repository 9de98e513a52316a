// Package backup makes backups of entries of a destination before they are replaced, rewritten or removed.
//
// The name of a backup is the name of its entry followed by a suffix. The backup is next to the entry, or at the
// entry's path in a directory for backups. Where the file system allows it, a backup is the entry itself or another
// name of it; otherwise it is a copy with all of its attributes. Directories made for backups get the attributes that
// their counterparts in the destination had before the run.
package backup

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"psync/internal/content"
	"psync/internal/vfs"
)

// A Backup is the backup of an entry. The zero value stands for no backup.
type Backup struct {
	store  *Store
	dir    vfs.Dir
	name   string       // "": no backup is needed
	times  [2]time.Time // access and modification times that replace the mark of a marked backup
	marked bool
	older  string // an older backup with the mark, or ""
	only   bool   // an older backup was removed for it
	of     string // the name of the entry
	made   func(name, as string)
}

// Keep makes a backup of an entry that is about to be replaced. The entry itself stays where it is, so its name
// always exists.
func (s *Store) Keep(ctx context.Context, in Dirs, name string, copier *content.Copier) (Backup, error) {
	b, err := s.place(in, name)
	if err == nil && b.name != "" {
		err = s.Lifter.Link(in.Dest, name, b.dir, b.name)
		if errors.Is(err, errors.ErrUnsupported) {
			err = s.copy(ctx, in.Dest, name, &b, copier)
		}
	}
	if err != nil {
		return Backup{}, wrap(ctx, err) // do not undo this: what has that name was not made by this run
	}
	return b, nil
}

// Undo removes a backup that Keep made of an entry that was not replaced after all. A backup for which an older one
// was removed stays; otherwise no backup would be left.
func (b *Backup) Undo() error {
	if b.name == "" || b.only {
		return nil
	}
	return b.store.Lifter.Remove(b.dir, b.name, nil)
}

// RemoveOrMove renames an entry that is not a directory to its backup, or removes it if it needs no backup.
func (s *Store) RemoveOrMove(ctx context.Context, in Dirs, name string, copier *content.Copier) error {
	b, err := s.place(in, name)
	switch {
	case err != nil:
	case b.name == "":
		if err := s.Lifter.Remove(in.Dest, name, nil); err != nil {
			return err
		}
	default:
		err = s.move(ctx, in.Dest, name, &b, copier)
	}
	if err != nil {
		return wrap(ctx, err)
	}
	return b.Finish()
}

// CopyBeforeRewrite makes a backup of a file that is about to be written in place. The backup has a mark until Finish
// is called.
func (s *Store) CopyBeforeRewrite(ctx context.Context, in Dirs, name string, copier *content.Copier) (Backup, error) {
	b, err := s.place(in, name)
	if err == nil && b.name != "" {
		b.marked = true
		err = s.copy(ctx, in.Dest, name, &b, copier)
	}
	return b, wrap(ctx, err)
}

// place determines where the backup of an entry goes, and makes sure that nothing is there.
func (s *Store) place(in Dirs, name string) (b Backup, err error) {
	b = Backup{store: s, dir: in.Backups, name: name + s.Suffix, of: name, made: in.Made}
	if s.InPlace() {
		if b.name, err = s.nameNotInSource(in.Source, name); err != nil {
			return Backup{}, err
		}
	}
	there, err := vfs.Lstat(b.dir, b.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return b, nil
	case err != nil:
		return Backup{}, err
	case there.Mode.IsDir():
		if !s.InPlace() && b.dir.Rmdir(b.name) == nil {
			return b, nil // an empty directory holds no backup
		}
		return b, s.renameOlder(b.dir, b.name)
	}
	replace := true
	if there.Mode.IsRegular() {
		if replace = !isMarked(there); replace {
			replace, err = s.keepsMarks(b.dir, b.name, there)
		}
	}
	switch {
	case err != nil:
	case !replace:
		err = b.keepOlder(in, name)
	default:
		b.only = true
		if err = s.Lifter.Remove(b.dir, b.name, nil); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	return b, err
}

// move moves an entry to its backup, to another file system if necessary.
func (s *Store) move(ctx context.Context, from vfs.Dir, name string, b *Backup, copier *content.Copier) error {
	err := s.Lifter.Rename(from, name, b.dir, b.name)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if err := s.copy(ctx, from, name, b, copier); err != nil {
		return err
	}
	return s.Lifter.Remove(from, name, nil)
}
