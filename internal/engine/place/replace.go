package place

import (
	"context"
	"errors"
	"syscall"

	"psync/internal/content"
	"psync/internal/engine/backup"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// replace calls create to make an entry under a temporary name, and renames that to the name of the entry, unless
// that is delayed. If it fails, the old entry still exists, unless it was a directory.
func (p *Placer) replace(ctx context.Context, d *Dir, e Entry, o *Outcome, create func(in vfs.Dir, temp string) error) error {
	temp := p.NewTemp()
	if err := create(p.tempDir(d), temp); err != nil {
		return err
	}
	if e.Delay && !o.rest.WaitsForName() {
		o.Temp = temp
		return nil
	}
	return p.rename(ctx, d, e, temp, o)
}

// PutInPlace gives a delayed entry its name.
func (p *Placer) PutInPlace(ctx context.Context, d *Dir, e Entry, temp string) (o Outcome, err error) {
	err = p.rename(ctx, d, e, temp, &o)
	return o, err
}

// Discard removes a delayed entry.
func (p *Placer) Discard(d *Dir, temp string) (o Outcome, err error) {
	err = p.removeTemp(d, p.tempDir(d), temp, &o)
	return o, err
}

// tempDir returns the directory that holds entries of d until they are complete.
func (p *Placer) tempDir(d *Dir) vfs.Dir {
	if p.TempDir != nil {
		return p.TempDir
	}
	return d.Dir
}

// rename renames the complete entry called temp to the name of the entry. If that fails, it removes temp.
func (p *Placer) rename(ctx context.Context, d *Dir, e Entry, temp string, o *Outcome) error {
	in := p.tempDir(d)
	var old backup.Backup
	var err error
	switch e.Action {
	case plan.ReplaceDir:
		err = d.Host.MakeWay(ctx, o.Notes)
		if o.Notes = nil; err == nil {
			err = p.Lifter.Rmdir(d.Dir, e.Name)
		}
	case plan.Replace:
		old, err = p.backUp(ctx, d, e, p.Backups.Keep)
	}
	switch {
	case err != nil:
	case e.Action == plan.Create:
		err = d.collision(publish(in, temp, d.Dir, e.Name))
	default:
		// Rename last: a reader sees the old entry or the complete new one.
		err = p.Lifter.RenameOver(in, temp, d.Dir, e.Name, e.Only)
	}
	if err != nil {
		return vfs.JoinErrors(err, p.takeBack(d, in, temp, old, o))
	}
	return old.Finish()
}

// takeBack removes temp, which was not given its name, and then the backup of the entry of that name. If temp does
// not exist, it may have got its name in spite of the error, and the backup stays.
func (p *Placer) takeBack(d *Dir, in vfs.Dir, temp string, old backup.Backup, o *Outcome) error {
	err := p.Lifter.Remove(in, temp, nil)
	if err == nil {
		return old.Undo()
	}
	return o.noteTemporaryLeft(d, in, err)
}

// HardLink makes an entry that is another name of the one called name in from. If that entry cannot have another
// name, refused says why.
func (p *Placer) HardLink(ctx context.Context, d *Dir, e Entry, from vfs.Dir, name string) (o Outcome, refused, err error) {
	var linkErr error
	link := func(in vfs.Dir, newname string) error {
		linkErr = in.Link(from, name, newname)
		return linkErr
	}
	err = p.Lifter.Force(func() error {
		if e.Action == plan.Create {
			return d.collision(link(d.Dir, e.Name))
		}
		return p.replace(ctx, d, e, &o, link)
	}, from, name)
	if errors.Is(linkErr, errors.ErrUnsupported) || errors.Is(linkErr, syscall.EMLINK) {
		return o, linkErr, nil
	}
	return o, nil, err
}

// backUp makes a backup of the entry that e replaces if backups are requested.
func (p *Placer) backUp(ctx context.Context, d *Dir, e Entry, how func(context.Context, backup.Dirs, string, *content.Copier) (backup.Backup, error)) (backup.Backup, error) {
	if !p.Backups.On {
		return backup.Backup{}, nil
	}
	if e.Only != nil {
		if now, err := d.Look(e.Name); err != nil || !e.Only.Holds(now) {
			return backup.Backup{}, vfs.ErrChanged // it will not be replaced
		}
	}
	dirs, err := d.Host.BackupDirs()
	if err != nil {
		return backup.Backup{}, err
	}
	return how(ctx, dirs, e.Name, p.Copier)
}
