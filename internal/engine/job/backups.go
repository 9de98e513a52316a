package job

import (
	"psync/internal/engine/backup"
	"psync/internal/metadata"
	"psync/internal/report"
)

// MayGetBackupDir reports whether the directory for backups may still be made in d, which would change its times.
func (r *Run) MayGetBackupDir(d *Dir) bool {
	return r.Job.Backup.Make != nil && d.DestAttr.ID() == r.Job.Backup.Parent
}

// RememberOriginal reads what operations on d that the run is about to carry out may change of its original, if
// backup directories that stand for d may still be made.
func (r *Run) RememberOriginal(d *Dir, ops []metadata.Op) {
	if d.Task.Original != nil && !d.Fresh() && (AwaitsOthers(d) || r.DefersRemovals(d)) {
		r.Backups.BeforeSetting(ops, d.Task.Original, d.Dst)
	}
}

// BackupDirs returns the directories for backups of entries of d.
func (r *Run) BackupDirs(d *Dir) (dirs backup.Dirs, err error) {
	dirs = backup.Dirs{Source: d.Src, Dest: d.Dst, Backups: d.Dst}
	if r.Reporting.Rest {
		dirs.Made = func(name, as string) {
			r.Job.Sink.Event(report.Event{Kind: report.BackUp, Dir: d.Path(""), Name: name, Target: d.Path(as)})
		}
	}
	if !r.Job.Backup.InPlace() {
		dirs.Backups, err = d.openOthers().backups.Open(r.Backups, d.Dst, func() string { return d.Path("") }, d.Task.Original)
	}
	return dirs, err
}
