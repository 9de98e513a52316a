package mirror

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// RemoveEntry removes an entry of d that is not a directory, and reports whether it has left d: it may stay there as
// its own backup. If why is nil, the removal does not depend on a source.
func RemoveEntry(ctx context.Context, j *job.Worker, d *job.Dir, why *Premise, e vfs.Entry) (gone bool) {
	j.Current.SetName(e.Name)
	defer j.Current.SetName("")
	if !holds(j, why) || !spendBudget(j, why) {
		return false
	}
	if !j.Run.Job.DryRun {
		Deleting(j, d, e)
		err := RemoveOrBackUp(ctx, j, d, e.Name)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return false
		case errors.Is(err, fs.ErrNotExist) && !j.Run.Job.Backup.On, lacks(d.Dst, e.Name):
			return true
		default:
			Failed(j, d, why, vfs.Entry{Name: e.Name}, err)
			return false
		}
	}
	Deleted(j, d, e)
	return !j.Run.Job.Backup.On || !j.Run.Job.Backup.InPlace() || j.Run.Job.Process().Abandoned(e.Name)
}

// RemoveOrBackUp removes an entry of d that is not a directory, or turns it into its own backup. Temporaries of
// killed runs need no backup.
func RemoveOrBackUp(ctx context.Context, j *job.Worker, d *job.Dir, name string) error {
	if !j.Run.Job.Backup.On || j.Run.Job.Process().Abandoned(name) {
		return j.Run.Lifter.Remove(d.Dst, name, nil)
	}
	dirs, err := j.Run.BackupDirs(d)
	if err != nil {
		return err
	}
	return j.Run.Backups.RemoveOrMove(ctx, dirs, name, &j.Copier)
}

// lacks reports whether dir no longer has an entry of this name.
func lacks(dir vfs.Dir, name string) bool {
	_, err := vfs.Lstat(dir, name)
	return errors.Is(err, fs.ErrNotExist)
}

// rmdir removes an empty directory from d if why still holds, and reports whether it is gone.
func rmdir(j *job.Worker, d *job.Dir, why *Premise, name string) (gone bool) {
	if !holds(j, why) || !spendBudget(j, why) {
		return false
	}
	if !j.Run.Job.DryRun {
		err := j.Run.Lifter.Rmdir(d.Dst, name)
		if notEmpty(err) && Clear(context.Background(), j, d, why, name) {
			// Some systems omit entries from a listing while others are removed.
			err = j.Run.Lifter.Rmdir(d.Dst, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return true // another process was faster
		}
		if err != nil {
			failDir(j, d, why, name, err)
			return false
		}
	}
	Deleted(j, d, vfs.Entry{Name: name, Type: fs.ModeDir})
	return true
}

func notEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST)
}

// allow lets the owner remove entries from a read-only directory that will be removed itself, as rsync does, or from
// a locked one. If we are not the owner, chmod fails here and each entry reports EACCES.
func allow(j *job.Worker, d *job.Dir) {
	if !j.Run.Job.Delete.Clears() || j.Run.Job.DryRun {
		return
	}
	d.Lifted = j.Run.Lifter.LiftDir(d.Dst, d.DestAttr)
	if d.DestAttr.Mode&0o200 == 0 && !j.Run.Job.User.Privileged() {
		_ = vfs.Chmod(vfs.In(d.Dst, "."), d.DestAttr.Mode|0o200)
	}
}

// failDir reports that the directory called name in d, or d itself for "", could not be removed.
func failDir(j *job.Worker, d *job.Dir, why *Premise, name string, err error) {
	Failed(j, d, why, vfs.Entry{Name: name, Type: fs.ModeDir}, err)
}

// errUncounted is the error when a source has lost entries since several hosts have counted what is to be removed.
var errUncounted = errors.New("the source lacks more than it did when that was counted, so not everything extraneous was removed")

// spendBudget takes one removal from the budget. If nothing is left, it stops the run, or, with a partial limit, has the
// directory that the removal is about count as not done.
func spendBudget(j *job.Worker, why *Premise) bool {
	if why != nil && !why.In.Task.Bundle.SpendRemoval() {
		j.FailDir(why.In, pairs.Dest, "", errUncounted)
		return false
	}
	err := j.Run.Budget.Spend()
	switch {
	case err == nil:
	case !j.Run.Budget.Max.Partial:
		j.Run.Stop(err)
	case why != nil:
		why.In.Left.Failures.Add(1)
	}
	return err == nil
}
