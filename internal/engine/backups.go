package engine

import (
	"psync/internal/engine/backup"
	"psync/internal/engine/job"
	"psync/internal/engine/pairs"
	"psync/internal/vfs"
)

// newBackups returns the store of the run's backups.
func (r *run) newBackups() *backup.Store {
	s := &backup.Store{
		Options: r.job.Job.Backup,
		User:    r.job.Job.User,
		Profile: r.job.Lifter.Dest,
		Dest:    r.job.Job.Dest,
		OpenDest: func(path string) (vfs.Dir, error) {
			return pairs.Below(r.job.Job.Dest, path, r.job.Job.Links.KeepDirlinks)
		},
		Lifter: r.job.Lifter,
		ApplyLast: func(a *backup.DirAttrs) {
			r.pool.PutLater(lastPhaseOf(a.Path), task{Task: job.Task{Kind: job.Apply}, backup: a})
		},
	}
	if s.Make != nil {
		s.Make = r.makeBackupDir
	}
	return s
}

// makeBackupDir makes the directory for backups, and ensures that this run, which may find it in the destination,
// does not remove it.
func (r *run) makeBackupDir() (dir vfs.Dir, err error) {
	err = r.job.InUse.AddNew(func() (vfs.ID, error) {
		if dir, err = r.job.Job.Backup.Make(); err != nil {
			return vfs.ID{}, err
		}
		attr, err := vfs.Lstat(dir, ".")
		if err != nil {
			return vfs.ID{}, vfs.JoinErrors(err, dir.Close())
		}
		return attr.ID(), nil
	})
	if err != nil {
		return nil, err
	}
	return dir, nil
}
