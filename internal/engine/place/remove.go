package place

import (
	"context"

	"psync/internal/engine/job"
	"psync/internal/plan"
	"psync/internal/vfs"
)

// Remove removes the entry that e would replace, after making a backup of it if requested. Unless the entry is an
// empty directory, e.Only says what it must still be.
func Remove(ctx context.Context, j *job.Worker, d *job.Dir, e Entry) error {
	switch {
	case e.Action == plan.ReplaceDir:
		if err := e.MakeWay(ctx, nil); err != nil {
			return err
		}
		return j.Run.Lifter.Rmdir(d.Dst, e.Name)
	case !j.Run.Backups.On:
		return j.Run.Lifter.Remove(d.Dst, e.Name, e.Only)
	}
	if now, err := d.Dst.Statx(e.Name, vfs.StatxFresh); err != nil || !e.Only.Holds(now) {
		return vfs.JoinErrors(err, vfs.ErrChanged)
	}
	dirs, err := j.Run.BackupDirs(d)
	if err != nil {
		return err
	}
	return j.Run.Backups.RemoveOrMove(ctx, dirs, e.Name, &j.Copier)
}
