package mirror

import (
	"context"
	"errors"
	"io/fs"
	"syscall"

	"psync/internal/content"
	"psync/internal/engine/attrs"
	"psync/internal/engine/backup"
	"psync/internal/engine/sweep"
	"psync/internal/engine/volume"
	"psync/internal/report"
	"psync/internal/vfs"
)

// A Config holds what the removers of a run share.
type Config struct {
	Guard
	Budget  Budget
	DryRun  bool
	User    vfs.User
	Volumes *volume.Table
	Lifter  *attrs.Lifter
	Backups *backup.Store
	// Abandoned reports whether a name is that of a temporary whose process is gone.
	Abandoned func(name string) bool
	// Stop ends the run when the budget is spent.
	Stop context.CancelCauseFunc
}

// A Remover removes entries of the destination. It belongs to one worker.
type Remover struct {
	*Config
	Reporter
	Copier   *content.Copier // copies backups to other volumes
	Activity *report.WorkerActivity
}

// A Reporter is notified of what happens to entries.
type Reporter interface {
	// Deleting is called before an entry of d other than a directory is removed.
	Deleting(d *Dir, e vfs.Entry)
	// Deleted is called when an entry of d was removed, or would be in a dry run.
	Deleted(d *Dir, e vfs.Entry)
	// Failed is called when an entry of d, or d itself if the name is "", could not be removed.
	Failed(d *Dir, e vfs.Entry, err error)
	// Unknown is called when it could not be checked whether the counterpart of d has an entry. onSource reports
	// whether the error is about the source.
	Unknown(d *Dir, name string, onSource bool, err error)
	// Left is called for a temporary in d that stays because its process may still be running. It may be
	// called more than once.
	Left(d *Dir, t sweep.Temporary)
}

// RemoveEntry removes an entry of d that is not a directory, and reports whether it has left d: it may stay there as
// its own backup.
func (r *Remover) RemoveEntry(ctx context.Context, d *Dir, e vfs.Entry) (gone bool) {
	r.Activity.SetName(e.Name)
	defer r.Activity.SetName("")
	why := d.Premise
	switch {
	case why != nil || d.Counterpart == nil:
	case d.asker != nil:
		why = d.asker.premise(e.Name)
	default:
		why = &Premise{Name: e.Name, In: d}
	}
	if !r.holds(why) || !r.spend() {
		return false
	}
	if !r.DryRun {
		r.Deleting(d, e)
		err := r.RemoveOrBackUp(ctx, d, e.Name)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return false
		case errors.Is(err, fs.ErrNotExist) && !r.Backup.On, d.lacks(e.Name):
			return true
		default:
			r.Failed(d, vfs.Entry{Name: e.Name}, err)
			return false
		}
	}
	r.Deleted(d, e)
	return !r.Backup.On || !r.Backup.InPlace() || r.Abandoned(e.Name)
}

// RemoveOrBackUp removes an entry of d that is not a directory, or turns it into its own backup. Temporaries of
// killed runs need no backup.
func (r *Remover) RemoveOrBackUp(ctx context.Context, d *Dir, name string) (err error) {
	if !r.Backup.On || r.Abandoned(name) {
		return r.Lifter.Remove(d.Dir, name, nil)
	}
	dirs := backup.Dirs{Source: d.Src, Dest: d.Dir, Backups: d.Dir}
	if !r.Backup.InPlace() {
		if dirs.Backups, err = d.Backups.Open(r.Backups, d.Dir, d.Path, d.Original); err != nil {
			return err
		}
	}
	return r.Backups.RemoveOrMove(ctx, dirs, name, r.Copier)
}

// lacks reports whether d no longer has an entry of this name.
func (d *Dir) lacks(name string) bool {
	_, err := d.Lstat(name)
	return errors.Is(err, fs.ErrNotExist)
}

// rmdir removes an empty directory from d if the premise of d still holds, and reports whether it is gone.
func (r *Remover) rmdir(d *Dir, name string) (gone bool) {
	if !r.holds(d.Premise) || !r.spend() {
		return false
	}
	if !r.DryRun {
		err := r.Lifter.Rmdir(d.Dir, name)
		if notEmpty(err) && r.Clear(context.Background(), d, name) {
			// Some systems omit entries from a listing while others are removed.
			err = r.Lifter.Rmdir(d.Dir, name)
		}
		if errors.Is(err, fs.ErrNotExist) {
			return true // another process was faster
		}
		if err != nil {
			r.failDir(d, name, err)
			return false
		}
	}
	r.Deleted(d, vfs.Entry{Name: name, Type: fs.ModeDir})
	return true
}

func notEmpty(err error) bool {
	return errors.Is(err, syscall.ENOTEMPTY) || errors.Is(err, syscall.EEXIST)
}

// allow lets the owner remove entries from a read-only directory that will be removed itself, as rsync does, or from
// a locked one. If we are not the owner, chmod fails here and each entry reports EACCES.
func (r *Remover) allow(d *Dir) {
	if !r.Delete.Clears() || r.DryRun {
		return
	}
	d.lifted = r.Lifter.LiftDir(d.Dir, d.Attr)
	if d.Attr.Mode&0o200 == 0 && !r.User.Privileged() {
		_ = vfs.Chmod(vfs.In(d, "."), d.Attr.Mode|0o200)
	}
}

// Keeps reports whether an entry of d must stay although the source lacks it.
func (r *Remover) Keeps(d *Dir, e vfs.Entry) bool {
	keeps, left := r.Guard.Keeps(d, e)
	if left.Name != "" {
		r.Left(d, left)
	}
	return keeps
}

// failDir reports that the directory called name in d, or d itself for "", could not be removed.
func (r *Remover) failDir(d *Dir, name string, err error) {
	r.Failed(d, vfs.Entry{Name: name, Type: fs.ModeDir}, err)
}

// spend takes one removal from the budget, and stops the run if nothing is left.
func (r *Remover) spend() bool {
	err := r.Budget.Spend()
	if err != nil {
		r.Stop(err)
	}
	return err == nil
}
