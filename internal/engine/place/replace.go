package place

import (
	"cmp"
	"context"
	"errors"
	"syscall"

	"psync/internal/content"
	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// replace calls create to make an entry under a temporary name, and renames that to the name of the entry, unless
// that is delayed. If it fails, the old entry still exists, unless it was a directory.
func replace(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, o *Outcome, create func(in vfs.Dir, temp string) error) error {
	temp := j.Run.NewTemp()
	if err := create(tempDir(j, d), temp); err != nil {
		return err
	}
	if e.Delay && !o.rest.WaitsForName() {
		o.Temp = temp
		return nil
	}
	return rename(ctx, j, d, e, temp, o)
}

// PutInPlace gives a delayed entry its name.
func PutInPlace(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, temp string) (o Outcome, err error) {
	err = rename(ctx, j, d, e, temp, &o)
	return o, err
}

// Discard removes a delayed entry.
func Discard(j *job.Worker, d *job.Dir, temp string) error {
	return removeTemp(j, d, tempDir(j, d), temp)
}

// tempDir returns the directory that holds entries of d until they are complete.
func tempDir(j *job.Worker, d *job.Dir) vfs.Dir {
	return cmp.Or(j.Run.Job.TempDir, d.Dst)
}

// rename renames the complete entry called temp to the name of the entry. If that fails, it removes temp.
func rename(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, temp string, o *Outcome) error {
	in := tempDir(j, d)
	var old backup.Backup
	var err error
	switch e.Action {
	case plan.ReplaceDir:
		err = e.MakeWay(ctx, o.Notes)
		if o.Notes = nil; err == nil {
			err = j.Run.Lifter.Rmdir(d.Dst, e.Name)
		}
	case plan.Replace:
		old, err = backUp(ctx, j, d, e, j.Run.Backups.Keep)
	}
	switch {
	case err != nil:
	case e.Action == plan.Create:
		err = j.Collision(d, publish(in, temp, d.Dst, e.Name))
	default:
		// Rename last: a reader sees the old entry or the complete new one.
		err = j.Run.Lifter.RenameOver(in, temp, d.Dst, e.Name, e.Only)
	}
	if err != nil {
		return vfs.JoinErrors(err, takeBack(j, d, in, temp, old))
	}
	return old.Finish()
}

// takeBack removes temp, which was not given its name, and then the backup of the entry of that name. If temp does
// not exist, it may have got its name in spite of the error, and the backup stays.
func takeBack(j *job.Worker, d *job.Dir, in vfs.Dir, temp string, old backup.Backup) error {
	err := j.Run.Lifter.Remove(in, temp, nil)
	if err == nil {
		return old.Undo()
	}
	return noteTemporaryLeft(d, in, err)
}

// HardLink makes an entry that is another name of the one called name in from. If that entry cannot have another
// name, refused says why.
func HardLink(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, from vfs.Dir, name string) (o Outcome, refused, err error) {
	var linkErr error
	link := func(in vfs.Dir, newname string) error {
		linkErr = in.Link(from, name, newname)
		return linkErr
	}
	err = j.Run.Lifter.Force(func() error {
		if e.Action == plan.Create {
			return j.Collision(d, link(d.Dst, e.Name))
		}
		return replace(ctx, j, d, e, &o, link)
	}, from, name)
	if errors.Is(linkErr, errors.ErrUnsupported) || errors.Is(linkErr, syscall.EMLINK) {
		return o, linkErr, nil
	}
	return o, nil, err
}

// backUp makes a backup of the entry that e replaces if backups are requested, unless an attempt before has made that.
func backUp(ctx context.Context, j *job.Worker, d *job.Dir, e Entry, how func(context.Context, backup.Dirs, string, *content.Copier) (backup.Backup, error)) (backup.Backup, error) {
	if !j.Run.Backups.On || e.Before == plan.Create {
		return backup.Backup{}, nil
	}
	if e.Only != nil {
		if now, err := d.Dst.Statx(e.Name, vfs.StatxFresh); err != nil || !e.Only.Holds(now) {
			return backup.Backup{}, vfs.ErrChanged // it will not be replaced
		}
	}
	dirs, err := j.Run.BackupDirs(d)
	if err != nil {
		return backup.Backup{}, err
	}
	return how(ctx, dirs, e.Name, &j.Copier)
}
