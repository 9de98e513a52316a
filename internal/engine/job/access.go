package job

import (
	"io/fs"

	"psync/internal/vfs"
)

// PrepareChange is called before an entry is made in, or removed from, the destination of d: the directory must be
// writable, and its own times will have to be set.
func (w *Worker) PrepareChange(d *Dir) {
	if d.TimesChanged.Load() {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.Fresh() && !d.TimesChanged.Load() { // fresh ones got their rights at once
		w.grantAccessLocked(d)
	}
	d.TimesChanged.Store(true)
}

// GrantAccess gives the owner write access to a directory of an earlier run whose source is read-only or locked, until
// the directory is finished. If we are not its owner, that fails, and each entry reports EACCES. A new root that this run
// did not make is treated like the directories that it does make, so a later run can recognize that it is not
// finished.
func (w *Worker) GrantAccess(d *Dir) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w.grantAccessLocked(d)
}

func (w *Worker) grantAccessLocked(d *Dir) {
	if w.Run.Job.DryRun || d.Dst == nil || !w.Run.CopiesItself(d) {
		return
	}
	if !d.Fresh() {
		w.Run.liftDir(d)
	}
	mode := d.Mode() | 0o700
	if d.Fresh() && (d.Task.Path == "" || d.Task.DefaultACL) && !w.Run.Job.Keep.NoPerms && d.Src != nil {
		mode = mode&^fs.ModePerm | w.Attrs.WorkMode(d.Volumes(), d.Src, vfs.Entry{Name: "."}, d.Attr)
	}
	if mode == d.Mode() || vfs.Chmod(vfs.In(d.Dst, "."), mode) != nil {
		return
	}
	d.openedMode.Store(uint32(mode))
	if d.Fresh() && !d.DstVolume.KeepsAttrs { // it may have set another mode
		if attr, err := vfs.Lstat(d.Dst, "."); err == nil {
			d.openedMode.Store(uint32(attr.Mode))
		}
	}
}

// liftDir lifts what prevents making and removing entries in the destination of d, until d is finished. The caller
// holds d.mu.
func (r *Run) liftDir(d *Dir) {
	if d.Lifted == nil {
		d.Lifted = r.Lifter.LiftDir(d.Dst, d.DestAttr)
	}
}

// RevokeAccess undoes GrantAccess for a directory that existed before, if the run ends before the directory is finished.
func (r *Run) RevokeAccess(d *Dir) {
	if d.Finished || d.Dst == nil {
		return
	}
	if d.accessGranted() {
		_ = vfs.Chmod(vfs.In(d.Dst, "."), d.Found)
	}
	r.Lifter.RestoreAt(d.Lifted, d.Dst, ".")
}

// HasAccessToRevoke reports whether RevokeAccess would change d, which is not finished.
func HasAccessToRevoke(d *Dir) bool {
	return d.accessGranted() || d.Lifted.Any()
}

// accessGranted reports whether rights were added to a directory that existed before.
func (d *Dir) accessGranted() bool {
	return !d.Fresh() && d.Found.IsDir() && d.Mode() != d.Found
}
