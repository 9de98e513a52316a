package engine

import (
	"psync/internal/engine/backup"
	"psync/internal/engine/pairs"
	"psync/internal/metadata"
	"psync/internal/vfs"
)

// newBackups returns the store of the run's backups.
func (r *run) newBackups() *backup.Store {
	s := &backup.Store{
		Options:  r.Backup,
		User:     r.User,
		Profile:  r.profiles.dest,
		Dest:     r.Dest,
		OpenDest: func(path string) (vfs.Dir, error) { return pairs.Below(r.Dest, path, r.Links.KeepDirlinks) },
		Lifter:   r.lifter,
	}
	if s.Make != nil {
		s.Make = r.makeBackupDir
	}
	return s
}

// makeBackupDir makes the directory for backups, and sees to it that this run, which may
// meet it in the destination, does not remove it.
func (r *run) makeBackupDir() (dir vfs.Dir, err error) {
	err = r.inUse.AddNew(func() (vfs.ID, error) {
		if dir, err = r.Backup.Make(); err != nil {
			return vfs.ID{}, err
		}
		attr, err := dir.Lstat(".")
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

// mayGetBackupDir reports whether the directory for backups may yet be made in d, which
// changes its time.
func (w *jobWorker) mayGetBackupDir(d *jobDir) bool {
	return w.Backup.Make != nil && d.destAttr.ID() == w.Backup.Parent
}

// rememberOriginal reads what operations on d, which the run is about to carry out, may change of its
// original, if directories for backups that stand for d may still be made.
func (w *jobWorker) rememberOriginal(d *jobDir, ops []metadata.Op) {
	if d.original != nil && !d.fresh() && (d.children.Load() || w.putsOff(d)) {
		w.backups.BeforeSetting(ops, d.original, d.Dst)
	}
}

// backupDirs returns the directories for backups of entries of d.
func (w *jobWorker) backupDirs(d *jobDir) (dirs backup.Dirs, err error) {
	dirs = backup.Dirs{Source: d.Src, Dest: d.Dst, Backups: d.Dst}
	if !w.Backup.InPlace() {
		dirs.Backups, err = d.backups.Open(w.backups, d.Dst, func() string { return d.path("") }, d.original)
	}
	return dirs, err
}
